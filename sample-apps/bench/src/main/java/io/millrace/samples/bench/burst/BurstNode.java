package io.millrace.samples.bench.burst;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A side of a burst: endpoints that serve calls and make calls. The first four bytes of a request
 * say how many bytes the answer has.
 */
interface BurstNode extends AutoCloseable {
  /** The addresses of the endpoints. */
  List<String> addresses();

  /**
   * Prepares calls to these addresses, endpoint after endpoint; sends no packet yet.
   *
   * @param isForProbes whether the calls are of priority 0; these calls have connections of their
   *     own where a connection cannot tell priorities apart
   */
  List<BurstCaller> callers(List<String> targets, boolean isForProbes);

  /** The node's counters since the opening, by name. */
  default Map<String, Long> counters() {
    return Map.of();
  }

  /**
   * Runs code of the node ahead of its first call, for this time at most; does nothing where the
   * node has no such means.
   */
  default void warmUp(Duration limit) {}

  @Override
  void close() throws IOException;
}
