package io.millrace.samples.bench.burst;

import java.util.List;
import java.util.Map;

/**
 * The result of a round.
 *
 * @param endsNs the ends of the finished transfers, ns after the start, ascending
 * @param probesNs the durations of probes, ascending
 * @param end the end of the round
 * @param startNs the start of the round, {@link System#nanoTime}
 * @param samples samples of the bottleneck, the first sample from before the start
 * @param processorNs processor time of all processes of both sides
 * @param coresBusy the busy share of each core, 0 to 1
 * @param retransmissions retransmitted packets, as nearly as the protocol counts retransmissions
 * @param counters the counters of the protocol and the kernel, by side and name
 * @param systemCalls the system calls, by side and name; empty if nobody counted
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
    Map<String, Long> counters,
    Map<String, Long> systemCalls) {
  /** The same round with the system calls of another round. */
  BurstRound with(Map<String, Long> calls) {
    return new BurstRound(
        endsNs,
        probesNs,
        end,
        startNs,
        samples,
        processorNs,
        coresBusy,
        retransmissions,
        counters,
        calls);
  }

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
