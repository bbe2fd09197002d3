package io.millrace.testkit.internal.core;

import io.millrace.loop.EventLoop;
import io.millrace.testkit.internal.patch.Surroundings;
import org.jspecify.annotations.Nullable;
import scala.Function0;

/** Whose code the simulation thread runs at this moment: one loop of one life of a node. */
public interface Occupant {
  /** The worker's loop that is in its turn, or null outside of workers. */
  @Nullable EventLoop eventLoop();

  /** What its code sees instead of the JDK's clock, chance and common pool. */
  Surroundings surroundings();

  /**
   * The code waits for a Scala future, which would block a real thread.
   *
   * @return what {@code thunk} returns, once that does not block any more
   * @throws SimViolation if such code must not block
   */
  <T> T blockOn(Function0<T> thunk);
}
