package io.millrace.testkit.internal.oracle;

import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.sim.Oracle;
import org.jspecify.annotations.Nullable;

/** A rule that is asked for each life of a node that ends in order. */
interface LifeOracle extends Oracle {
  /**
   * What one life still has whose program has closed everything, for people; null if nothing is.
   * Asked again and again until its actor system ends.
   */
  @Nullable String remains(NodeLife life);
}
