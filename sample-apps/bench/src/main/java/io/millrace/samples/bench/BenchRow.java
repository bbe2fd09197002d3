package io.millrace.samples.bench;

import io.millrace.samples.bench.peer.BaselinePeer;
import io.millrace.samples.bench.peer.BenchPeer;
import io.millrace.samples.bench.peer.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A row of the comparison.
 *
 * @param name the figure
 * @param metric the unit and direction of the figure
 * @param peer the peer, or the family whose best variant this row shows
 * @param variant the variant behind the value
 * @param millrace the figure of Millrace in the same run, if Millrace took part
 * @param value the figure of the peer
 * @param measured the rounds behind the value
 * @param spread of a baseline: the distance between the medians of the two runs, as a share
 */
record BenchRow(
    String name,
    Workload.Metric metric,
    String peer,
    String variant,
    OptionalDouble millrace,
    double value,
    Measured measured,
    OptionalDouble spread) {

  private static final OptionalDouble NO_SPREAD = OptionalDouble.empty();

  /** millrace / value, if Millrace took part. */
  OptionalDouble ratio() {
    return millrace.isPresent() ? OptionalDouble.of(millrace.getAsDouble() / value) : millrace;
  }

  /**
   * All rows of a run: for each figure and family of several variants, first the row of the best
   * variant.
   */
  static List<BenchRow> of(List<Measured> all) {
    List<BenchRow> rows = new ArrayList<>();
    for (Workload workload : all.stream().map(Measured::workload).distinct().toList()) {
      List<Measured> measured = all.stream().filter(m -> m.workload() == workload).toList();
      workload.metrics().forEach(metric -> addRows(rows, metric, measured));
    }
    return rows;
  }

  private static void addRows(
      List<BenchRow> rows, Workload.Metric metric, List<Measured> measured) {
    String baseline = millraceOf(measured);
    OptionalDouble millrace =
        measured.stream()
            .filter(m -> m.peer().name().equals(baseline))
            .mapToDouble(m -> m.median(metric))
            .findFirst();
    List<Measured> others =
        measured.stream().filter(m -> !m.peer().name().equals(baseline)).toList();
    for (String family : others.stream().map(m -> m.peer().family()).distinct().toList()) {
      List<Measured> variants =
          others.stream().filter(m -> m.peer().family().equals(family)).toList();
      if (family.equals(BaselinePeer.FAMILY)) {
        OptionalDouble spread = spread(metric, variants);
        rows.add(row(metric, family, Measured.together(variants), millrace, spread));
        continue;
      }
      Optional<Measured> best =
          variants.stream()
              .reduce((a, b) -> metric.isBetter(b.median(metric), a.median(metric)) ? b : a);
      if (variants.size() > 1) {
        rows.add(row(metric, family, best.orElseThrow(), millrace, NO_SPREAD));
      }
      variants.forEach(m -> rows.add(row(metric, m.peer().name(), m, millrace, NO_SPREAD)));
    }
  }

  private static OptionalDouble spread(Workload.Metric metric, List<Measured> times) {
    double first = times.getFirst().median(metric);
    double again = times.getLast().median(metric);
    return OptionalDouble.of(Math.max(first, again) / Math.min(first, again) - 1);
  }

  /** The name of Millrace itself, or of the variant that stands for Millrace in this workload. */
  private static String millraceOf(List<Measured> measured) {
    List<String> variants =
        measured.stream()
            .map(Measured::peer)
            .filter(peer -> peer.family().equals(BenchPeer.MILLRACE))
            .map(BenchPeer::name)
            .toList();
    return variants.isEmpty() || variants.contains(BenchPeer.MILLRACE)
        ? BenchPeer.MILLRACE
        : variants.getFirst();
  }

  private static BenchRow row(
      Workload.Metric metric,
      String peer,
      Measured measured,
      OptionalDouble millrace,
      OptionalDouble spread) {
    return new BenchRow(
        measured.workload().rowName(metric),
        metric,
        peer,
        measured.peer().name(),
        millrace,
        measured.median(metric),
        measured,
        spread);
  }
}
