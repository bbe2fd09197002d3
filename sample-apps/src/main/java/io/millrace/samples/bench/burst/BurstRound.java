package io.millrace.samples.bench.burst;

import java.util.List;
import java.util.Map;

/**
 * The result of a round.
 *
 * @param endsNs the ends of the finished transfers, ns after the start, ascending
 * @param probesNs how long probes took, ascending
 * @param end how the round ended
 * @param startNs the start of the round, {@link System#nanoTime}
 * @param samples of the bottleneck, the first from before the start
 * @param processorNs of all processes of both sides
 * @param coresBusy 0 to 1, each
 * @param retransmissions retransmitted packets, as nearly as the protocol counts retransmissions
 * @param counters the protocol's counters, by side and name
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

  /** The number of packets that the queue dropped. */
  long drops() {
    return samples.getLast().drops() - samples.getFirst().drops();
  }

  /** The number of packets that passed the bottleneck. */
  long packets() {
    return samples.getLast().packets() - samples.getFirst().packets();
  }

  /** The end of the last finished transfer. */
  long lastEndNs() {
    return endsNs.isEmpty() ? 0 : endsNs.getLast();
  }
}
