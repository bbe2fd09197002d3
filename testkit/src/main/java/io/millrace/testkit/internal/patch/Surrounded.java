package io.millrace.testkit.internal.patch;

import org.jspecify.annotations.Nullable;

/** A thread that runs simulations. Rewritten calls on any other thread go to the JDK. */
public interface Surrounded {
  /** The surroundings of what runs now; null while nothing simulated runs on this thread. */
  @Nullable Surroundings surroundings();
}
