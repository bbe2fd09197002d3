package io.millrace.samples.bench.burst;

import io.millrace.samples.bench.burst.link.LinkChange;
import io.millrace.samples.bench.burst.link.LinkUse;
import io.millrace.samples.bench.burst.shape.PlannedShape;
import io.millrace.samples.bench.burst.simulated.SimulatedBurst;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one transport with one shape and size, from the round with the median goodput.
 *
 * @param median the round with the median goodput
 * @param idealNs the best possible end of the last transfer
 * @param fractionOfRate mean rate of the bottleneck over the ideal time, as a share of the rate
 *     without steps
 * @param goodputs the goodputs of all rounds, in their order
 * @param simulated the same burst in the simulator, if it ran
 */
record BurstRow(
    BurstOptions options,
    String peer,
    BurstShape shape,
    int sizeBytes,
    BurstRound median,
    long idealNs,
    double fractionOfRate,
    List<Double> goodputs,
    SimulatedBurst.@Nullable Result simulated) {
  private static final double MUCH_BUSY = 0.9;
  private static final double LITTLE_GOODPUT = 0.97;

  static BurstRow of(
      BurstOptions options, String peer, BurstShape shape, int sizeBytes, List<BurstRound> rounds) {
    List<BurstRow> all = new ArrayList<>();
    List<Double> goodputs = new ArrayList<>();
    for (BurstRound round : rounds) {
      BurstRow row =
          new BurstRow(
              options,
              peer,
              shape,
              sizeBytes,
              round,
              options.idealNs(sizeBytes),
              options.fractionOfRate(),
              goodputs,
              null);
      all.add(row);
      goodputs.add(row.goodputOfLink());
    }
    all.sort(Comparator.comparingDouble(BurstRow::goodputOfLink));
    return all.get(all.size() / 2);
  }

  /** The same row beside the same burst in the simulator. */
  BurstRow with(SimulatedBurst.Result result) {
    return new BurstRow(
        options, peer, shape, sizeBytes, median, idealNs, fractionOfRate, goodputs, result);
  }

  /** The name of the shape in reports. */
  String name() {
    return options.nameOf(shape);
  }

  /** The least goodput asked of the shape, where one is asked. */
  OptionalDouble asked() {
    PlannedShape planned = options.planned;
    return planned == null ? OptionalDouble.empty() : OptionalDouble.of(planned.asked());
  }

  /** The share of transfers that succeeded. */
  double done() {
    return (double) median.endsNs().size() / options.transfers;
  }

  double goodputOfLink() {
    return options.link().goodputOfLink(payloadBytes(), elapsedNs()) / fractionOfRate;
  }

  double payloadOfLink() {
    return options.link().payloadOfLink(payloadBytes(), elapsedNs()) / fractionOfRate;
  }

  double dropFraction() {
    long offered = median.packets() + median.drops();
    return offered == 0 ? 0 : (double) median.drops() / offered;
  }

  /**
   * The time at which this part of all transfers had ended, as a multiple of the ideal time; an
   * unfinished transfer counts as ending with the run.
   */
  double endOverIdeal(double part) {
    int index = Math.max(0, (int) Math.ceil(part * options.transfers) - 1);
    List<Long> ends = median.endsNs();
    long endNs = index < ends.size() ? ends.get(index) : median.end().overNs();
    return (double) endNs / idealNs;
  }

  /** The latency of probes; 0 without probes. */
  long probeNs(double part) {
    List<Long> probes = median.times().probesNs();
    return probes.isEmpty()
        ? 0
        : probes.get(Math.max(0, (int) Math.ceil(part * probes.size()) - 1));
  }

  /** The mean end of the finished transfers, as a multiple of the ideal time. */
  double meanOverIdeal() {
    return median.endsNs().stream().mapToLong(end -> end).average().orElse(0) / idealNs;
  }

  /**
   * The end of the last peer by the end of the first peer; a peer ends with its last transfer. 0 if
   * no peer ended.
   */
  double spread() {
    List<Long> peersNs = median.times().peersNs();
    return peersNs.isEmpty() ? 0 : (double) peersNs.getLast() / peersNs.getFirst();
  }

  /** Packets that passed the bottleneck, for each finished transfer. */
  double packetsPerTransfer() {
    return perTransfer(median.packets());
  }

  /** Retransmitted packets for each other packet of the side that sends the payload. */
  double retransmissionsPerNewPacket() {
    long again = median.retransmissions();
    return (double) again / Math.max(1, median.packetsOfPeers() - again);
  }

  /** The time in which the link empties a full queue, ns. */
  long queueDrainNs() {
    return Math.round(options.queueBytes * 8e9 / options.rate);
  }

  /** The use of the link around a change of the link. */
  Optional<LinkUse> use() {
    LinkChange change = median.change();
    return change == null
        ? Optional.empty()
        : Optional.of(
            LinkUse.of(
                median.samples(), change, median.startNs(), median.startNs() + median.lastEndNs()));
  }

  /** Processor time of the receiver's process for each finished transfer. */
  double receiverNsPerTransfer() {
    return perTransfer(median.processor().receiverNs());
  }

  /** Processor time of the peers' processes for each finished transfer. */
  double peersNsPerTransfer() {
    return perTransfer(median.processor().peersNs());
  }

  private double perTransfer(long count) {
    return (double) count / Math.max(1, median.endsNs().size());
  }

  /** The number of cores that the processes of the burst took. */
  double coresOwn() {
    return (double) median.processor().allNs() / median.end().overNs();
  }

  /** The number of cores that the receiver's process took. */
  double coresOfReceiver() {
    return (double) median.processor().receiverNs() / median.end().overNs();
  }

  /** Whether too little of the link was used while all cores were busy. */
  boolean isBoundByProcessor() {
    return goodputOfLink() < LITTLE_GOODPUT
        && median.processor().coresBusy().stream().allMatch(busy -> busy > MUCH_BUSY);
  }

  /** The counters of both sides for each transfer. */
  PerCall perCall() {
    return PerCall.of(median.counters(), median.systemCalls(), median.endsNs().size());
  }

  /** The reason for giving up the round; empty for a finished round. */
  String gaveUp() {
    return median.end().gaveUp();
  }

  /** The fields of the row in the JSON report. */
  Map<String, Object> toJson() {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("shape", shape.label());
    row.put("name", name());
    row.put("peer", peer);
    row.put("size", sizeBytes);
    row.put("goodput_of_link", goodputOfLink());
    row.put("asked", asked().isEmpty() ? null : asked().getAsDouble());
    row.put("payload_of_link", payloadOfLink());
    row.put("drops", median.drops());
    row.put("drop_fraction", dropFraction());
    row.put("packets", median.packets());
    row.put("packets_per_transfer", packetsPerTransfer());
    row.put("retransmissions", median.retransmissions());
    row.put("retransmissions_per_new_packet", retransmissionsPerNewPacket());
    row.put("spread", spread());
    row.put("ideal_ns", idealNs);
    row.put("mean_over_ideal", meanOverIdeal());
    row.put("p50_over_ideal", endOverIdeal(0.5));
    row.put("p99_over_ideal", endOverIdeal(0.99));
    row.put("max_over_ideal", endOverIdeal(1));
    row.put("prio0_calls", median.times().probesNs().size());
    row.put("prio0_p50_ns", probeNs(0.5));
    row.put("prio0_p99_ns", probeNs(0.99));
    row.put("queue_drain_ns", queueDrainNs());
    row.put("cpu_ns_per_transfer", receiverNsPerTransfer() + peersNsPerTransfer());
    row.put("receiver_cpu_ns_per_transfer", receiverNsPerTransfer());
    row.put("peers_cpu_ns_per_transfer", peersNsPerTransfer());
    row.put("cores_busy", median.processor().coresBusy());
    row.put("cores_own", coresOwn());
    row.put("receiver_cores", coresOfReceiver());
    row.put("use", use().map(LinkUse::toJson).orElse(null));
    row.put("bound", isBoundByProcessor() ? "processor" : "link");
    row.put("simulated_goodput_of_link", simulated == null ? null : simulated.goodput());
    row.put("failed", median.end().failed());
    row.put("gave_up", gaveUp().isEmpty() ? null : gaveUp());
    row.put("done", done());
    row.put("goodputs", goodputs);
    row.put("counters", median.counters());
    row.put("per_call", perCall().toJson());
    return row;
  }

  private long payloadBytes() {
    return (long) median.endsNs().size() * sizeBytes;
  }

  /**
   * The time until the last finished transfer; at least the ideal time if some transfers failed.
   */
  private long elapsedNs() {
    return done() < 1 ? Math.max(idealNs, median.lastEndNs()) : median.lastEndNs();
  }
}
