package io.millrace.samples.bench.burst;

import java.util.List;
import java.util.Map;

/**
 * What one round came to.
 *
 * @param endsNs when transfers ended, ns after the start, ascending; those that did not are missing
 * @param probesNs how long probes took, ascending
 * @param end how the round ended
 * @param startNs when it began, {@link System#nanoTime}
 * @param samples of the bottleneck, the first from before the start
 * @param processorNs of all processes of both sides
 * @param coresBusy 0 to 1, each
 * @param retransmissions packets, as nearly as the protocol counts them
 * @param counters what the protocol counted, by side and name
 */
record BurstRound(
    List<Long> endsNs,
    List<Long> probesNs,
    BurstWatch.End end,
    long startNs,
    List<QueueSample> samples,
    long processorNs,
    List<Double> coresBusy,
    long retransmissions,
    Map<String, Long> counters) {

  /** Packets that the queue dropped. */
  long drops() {
    return samples.getLast().drops() - samples.getFirst().drops();
  }

  /** Packets that came through. */
  long packets() {
    return samples.getLast().packets() - samples.getFirst().packets();
  }

  /** When the last transfer ended that did. */
  long lastEndNs() {
    return endsNs.isEmpty() ? 0 : endsNs.getLast();
  }
}
