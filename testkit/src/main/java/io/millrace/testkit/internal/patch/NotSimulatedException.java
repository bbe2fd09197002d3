package io.millrace.testkit.internal.patch;

import java.io.Serial;

/**
 * Simulated code made a call that has no simulated form: it starts a thread, sleeps, or would wait
 * for what is not there yet. The message names the call and says what to use instead.
 */
public final class NotSimulatedException extends IllegalStateException {
  @Serial private static final long serialVersionUID = 1;

  NotSimulatedException(String call, String instead) {
    super(call + " cannot be simulated: " + instead);
  }
}
