package io.millrace.testkit.sim.patch;

import java.io.Serial;

/** Simulated code made a call that has no simulated form: it sleeps, parks or starts a thread. */
public final class NotSimulatedException extends IllegalStateException {
  @Serial private static final long serialVersionUID = 1;

  NotSimulatedException(String call) {
    super(
        call + " cannot be simulated: use actors, timers and the executor that the node provides");
  }
}
