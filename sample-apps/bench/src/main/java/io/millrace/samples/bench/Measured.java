package io.millrace.samples.bench;

import io.millrace.samples.bench.peer.BenchPeer;
import io.millrace.samples.bench.peer.Piece;
import io.millrace.samples.bench.peer.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * All rounds of a peer in one workload. Figures are medians over the rounds.
 *
 * @param peer the peer
 * @param workload the workload
 * @param rounds the rounds of the peer in the order in which the rounds ran
 */
public record Measured(BenchPeer peer, Workload workload, List<Round> rounds) {
  /** Joins all rounds of several peers under the first peer's name. */
  static Measured together(List<Measured> several) {
    List<Round> rounds = several.stream().flatMap(m -> m.rounds().stream()).toList();
    return new Measured(several.getFirst().peer(), several.getFirst().workload(), rounds);
  }

  /** The median of a figure. */
  public double median(Workload.Metric metric) {
    return median(round -> metric.of(round.result()));
  }

  /** The median per call of the quantity that {@code spent} returns. */
  public double medianPerCall(ToDoubleFunction<Round> spent) {
    return median(round -> spent.applyAsDouble(round) / Math.max(1, round.result().calls()));
  }

  /** The number of undisturbed rounds. */
  long clean() {
    return rounds.stream().filter(round -> !round.isDisturbed()).count();
  }

  /** The figure of every round. */
  public List<Double> values(Workload.Metric metric) {
    return rounds.stream().map(round -> metric.of(round.result())).toList();
  }

  /** The medians of the pieces of a composed figure; empty for any other figure. */
  public List<Piece> pieces() {
    List<Piece> medians = new ArrayList<>();
    if (rounds.isEmpty()) {
      return medians;
    }
    for (int i = 0; i < rounds.getFirst().result().pieces().size(); i++) {
      int piece = i;
      medians.add(
          new Piece(
              rounds.getFirst().result().pieces().get(i).name(),
              median(round -> round.result().pieces().get(piece).nsPerByte())));
    }
    return medians;
  }

  private double median(ToDoubleFunction<Round> figure) {
    double[] sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
