package io.millrace.samples.bench.burst;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * One side of a burst: some endpoints that serve calls and make them. The first four bytes of a
 * request say how many bytes the answer has.
 */
interface BurstNode extends AutoCloseable {
  /** Where its endpoints are reached. */
  List<String> addresses();

  /**
   * Prepares calls to these addresses, of one endpoint after the other; sends nothing yet.
   *
   * @param isForProbes whether the calls are those of priority 0, which have connections of their
   *     own where connections cannot tell priorities apart
   */
  List<BurstCaller> callers(List<String> targets, boolean isForProbes);

  /** What it counted since it was opened, by name. */
  default Map<String, Long> counters() {
    return Map.of();
  }

  @Override
  void close() throws IOException;
}
