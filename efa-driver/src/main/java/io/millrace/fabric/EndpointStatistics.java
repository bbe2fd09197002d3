package io.millrace.fabric;

import io.millrace.driver.EndpointCounters;

/** The counters of one endpoint. */
record EndpointStatistics(EndpointCounters counters, FabricCounters fabricCounters) {}
