package io.millrace.samples.bench.burst;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The figures of one transport with one shape and size, from the round with the median goodput.
 *
 * @param median the round with the median goodput
 * @param idealNs the best possible end of the last transfer
 * @param fractionOfRate mean rate of the bottleneck over the ideal time, as a share of the rate
 *     without steps
 * @param goodputs the goodputs of all rounds, in their order
 */
record BurstRow(
    BurstOptions options,
    String peer,
    BurstShape shape,
    int sizeBytes,
    BurstRound median,
    long idealNs,
    double fractionOfRate,
    List<Double> goodputs) {
  private static final double MUCH_BUSY = 0.9;
  private static final double LITTLE_GOODPUT = 0.9;

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
              goodputs);
      all.add(row);
      goodputs.add(row.goodputOfLink());
    }
    all.sort(Comparator.comparingDouble(BurstRow::goodputOfLink));
    return all.get(all.size() / 2);
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
    List<Long> probes = median.probesNs();
    return probes.isEmpty()
        ? 0
        : probes.get(Math.max(0, (int) Math.ceil(part * probes.size()) - 1));
  }

  long processorNsPerTransfer() {
    return median.endsNs().isEmpty() ? 0 : median.processorNs() / median.endsNs().size();
  }

  /** The number of cores that the processes of the burst took. */
  double coresOwn() {
    return (double) median.processorNs() / median.end().overNs();
  }

  boolean isBoundByProcessor() {
    return goodputOfLink() < LITTLE_GOODPUT
        && median.coresBusy().stream().allMatch(busy -> busy > MUCH_BUSY);
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
    row.put("peer", peer);
    row.put("size", sizeBytes);
    row.put("goodput_of_link", goodputOfLink());
    row.put("payload_of_link", payloadOfLink());
    row.put("drops", median.drops());
    row.put("drop_fraction", dropFraction());
    row.put("packets", median.packets());
    row.put("retransmissions", median.retransmissions());
    row.put("ideal_ns", idealNs);
    row.put("p50_over_ideal", endOverIdeal(0.5));
    row.put("p99_over_ideal", endOverIdeal(0.99));
    row.put("max_over_ideal", endOverIdeal(1));
    row.put("prio0_calls", median.probesNs().size());
    row.put("prio0_p50_ns", probeNs(0.5));
    row.put("prio0_p99_ns", probeNs(0.99));
    row.put("cpu_ns_per_transfer", processorNsPerTransfer());
    row.put("cores_busy", median.coresBusy());
    row.put("cores_own", coresOwn());
    row.put("bound", isBoundByProcessor() ? "processor" : "link");
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
