package io.millrace.samples.sim;

import io.millrace.config.TransportSettings;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** The settings of each node's transports in a run of at least two nodes. */
final class NodesSettings {
  private final List<TransportSettings> all;
  private final Bounds bounds;

  private NodesSettings(List<TransportSettings> all) {
    this.all = all;
    Bounds longest = between(0, 1);
    for (int one = 0; one < all.size(); one++) {
      for (int other = 0; other < one; other++) {
        longest = longest.orLonger(between(one, other));
      }
    }
    bounds = longest;
  }

  /** Takes the settings of this number of nodes. */
  static NodesSettings of(int nodes, IntFunction<TransportSettings> settings) {
    return new NodesSettings(IntStream.range(0, nodes).mapToObj(settings).toList());
  }

  /** Takes the same settings for this number of nodes. */
  static NodesSettings same(int nodes, TransportSettings settings) {
    return new NodesSettings(Collections.nCopies(nodes, settings));
  }

  /** Returns the number of nodes. */
  int nodes() {
    return all.size();
  }

  /** Returns the settings of a node. */
  TransportSettings of(int node) {
    return all.get(node);
  }

  /** Returns the bounds of times between these two nodes. */
  Bounds between(int one, int other) {
    return Bounds.between(all.get(one), all.get(other));
  }

  /** Returns the bounds of times between any two nodes. */
  Bounds bounds() {
    return bounds;
  }
}
