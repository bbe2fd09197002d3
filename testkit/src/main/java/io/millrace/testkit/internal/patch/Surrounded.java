package io.millrace.testkit.internal.patch;

import org.jspecify.annotations.Nullable;

/** A thread that runs simulations. Rewritten calls on all other threads go to the JDK. */
public interface Surrounded {
  /** The surroundings of the running code; null while no simulated code runs on this thread. */
  @Nullable Surroundings surroundings();
}
