package io.millrace.testkit.internal.oracle;

import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.sim.Oracle;
import org.jspecify.annotations.Nullable;

/** A rule about each life of a node that ends in order. */
interface LifeOracle extends Oracle {
  /**
   * Returns the remains of a life whose program has closed everything, for people; null without
   * remains. Asked again and again until the life's actor system ends.
   */
  @Nullable String remains(NodeLife life);
}
