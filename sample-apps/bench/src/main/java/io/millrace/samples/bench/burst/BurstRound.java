package io.millrace.samples.bench.burst;

import io.millrace.samples.bench.burst.link.LinkChange;
import io.millrace.samples.bench.burst.link.QueueSample;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of a round.
 *
 * @param times the ends of transfers, and the durations of probes
 * @param end the end of the round
 * @param startNs the start of the round, {@link System#nanoTime}
 * @param samples samples of the bottleneck, the first sample from before the start
 * @param processor the processor time of the round
 * @param retransmissions retransmitted packets, as nearly as the protocol counts retransmissions
 * @param counters the counters of the protocol and the kernel, by side and name
 * @param systemCalls the system calls, by side and name; empty if nobody counted
 * @param change the change of the link during the round, if the link changed
 */
record BurstRound(
    Times times,
    BurstWatch.End end,
    long startNs,
    List<QueueSample> samples,
    Processor processor,
    long retransmissions,
    Map<String, Long> counters,
    Map<String, Long> systemCalls,
    @Nullable LinkChange change) {
  /**
   * Times of a round, each list ascending.
   *
   * @param endsNs the ends of the finished transfers, ns after the start
   * @param peersNs the ends of the last transfers of the peers whose transfers all finished, ns
   *     after the start
   * @param probesNs the durations of probes
   */
  record Times(List<Long> endsNs, List<Long> peersNs, List<Long> probesNs) {}

  /**
   * The processor time of a round.
   *
   * @param receiverNs processor time of the receiver's process
   * @param peersNs processor time of the peers' processes together
   * @param coresBusy the busy share of each core, by all programs, 0 to 1
   */
  record Processor(long receiverNs, long peersNs, List<Double> coresBusy) {
    /** The processor time between an earlier reading and this one, with these busy cores. */
    Processor since(Processor earlier) {
      return new Processor(receiverNs - earlier.receiverNs, peersNs - earlier.peersNs, coresBusy);
    }

    /** Processor time of all processes of both sides. */
    long allNs() {
      return receiverNs + peersNs;
    }
  }

  /** The same round with the system calls of another round. */
  BurstRound with(Map<String, Long> calls) {
    return new BurstRound(
        times, end, startNs, samples, processor, retransmissions, counters, calls, change);
  }

  /** The ends of the finished transfers, ns after the start, ascending. */
  List<Long> endsNs() {
    return times.endsNs();
  }

  /** The number of packets that the queue dropped. */
  long drops() {
    return samples.getLast().drops() - samples.getFirst().drops();
  }

  /** The number of packets that passed the bottleneck. */
  long packets() {
    return samples.getLast().packets() - samples.getFirst().packets();
  }

  /**
   * The packets that left the peers' network namespace; the packets with payload leave there in
   * each shape.
   */
  long packetsOfPeers() {
    return counters.getOrDefault(SideCounters.SENDERS + SideCounters.PACKETS, 0L);
  }

  /** The end of the last finished transfer. */
  long lastEndNs() {
    return endsNs().isEmpty() ? 0 : endsNs().getLast();
  }
}
