package io.millrace.efa;

import io.millrace.driver.EndpointCounters;

/** The counters of one endpoint. */
record EndpointStatistics(EndpointCounters counters, FabricCounters fabricCounters) {}
