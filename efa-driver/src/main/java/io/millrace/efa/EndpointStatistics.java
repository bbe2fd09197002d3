package io.millrace.efa;

import io.millrace.driver.EndpointCounters;

/** The counters of one endpoint. */
record EndpointStatistics(EndpointCounters counters, FabricCounters fabricCounters) {
  static EndpointStatistics zero() {
    FabricCounters own = new FabricCounters();
    return new EndpointStatistics(new EndpointCounters(own::byName), own);
  }
}
