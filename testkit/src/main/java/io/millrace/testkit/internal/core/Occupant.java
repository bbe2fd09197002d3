package io.millrace.testkit.internal.core;

import io.millrace.loop.EventLoop;
import io.millrace.testkit.internal.patch.Surroundings;
import org.jspecify.annotations.Nullable;
import scala.Function0;

/** The owner of the code on the simulation thread at this moment: a loop of a life of a node. */
public interface Occupant {
  /** Returns the loop of the worker in its turn, or null outside of workers. */
  @Nullable EventLoop eventLoop();

  /** The replacement of the JDK's clock, random numbers and common pool for the occupant's code. */
  Surroundings surroundings();

  /**
   * Waits for a Scala future, which would block a real thread.
   *
   * @return the result of {@code thunk}, once the thunk does not block any more
   * @throws SimViolation if such code must not block
   */
  <T> T blockOn(Function0<T> thunk);
}
