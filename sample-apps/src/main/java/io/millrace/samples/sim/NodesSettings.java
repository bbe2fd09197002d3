package io.millrace.samples.sim;

import io.millrace.config.TransportSettings;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** The settings of each node's transports in one run, of which there are two nodes at least. */
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

  /** Of so many nodes. */
  static NodesSettings of(int nodes, IntFunction<TransportSettings> settings) {
    return new NodesSettings(IntStream.range(0, nodes).mapToObj(settings).toList());
  }

  /** Of so many nodes that have the same. */
  static NodesSettings same(int nodes, TransportSettings settings) {
    return new NodesSettings(Collections.nCopies(nodes, settings));
  }

  /** How many nodes there are. */
  int nodes() {
    return all.size();
  }

  /** Those of one node. */
  TransportSettings of(int node) {
    return all.get(node);
  }

  /** How long things may take between these two. */
  Bounds between(int one, int other) {
    return Bounds.between(all.get(one), all.get(other));
  }

  /** How long things may take between whichever two. */
  Bounds bounds() {
    return bounds;
  }
}
