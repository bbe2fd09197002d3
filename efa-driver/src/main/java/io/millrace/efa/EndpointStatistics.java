package io.millrace.efa;

import io.millrace.driver.EndpointCounters;

/** The counters of one endpoint, and whether its queue serves. */
record EndpointStatistics(
    EndpointCounters counters, FabricCounters fabricCounters, EndpointHealth health) {
  static EndpointStatistics zero() {
    FabricCounters own = new FabricCounters();
    return new EndpointStatistics(new EndpointCounters(own::byName), own, new EndpointHealth());
  }
}
