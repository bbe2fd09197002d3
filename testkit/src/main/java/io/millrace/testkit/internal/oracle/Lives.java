package io.millrace.testkit.internal.oracle;

import io.millrace.testkit.internal.node.NodeLife;

/** Names lives of nodes in reports. */
final class Lives {
  private Lives() {}

  /** For example {@code n2#1}, the first life of node 2. */
  static String text(NodeLife life) {
    return life.node().name() + '#' + life.incarnation();
  }
}
