package io.millrace.testkit.internal.patch;

import java.io.Serial;

/**
 * Simulated code made a call without a simulated form: the call starts a thread, sleeps, or would
 * wait for a result that does not exist yet. The message names the call and a replacement.
 */
public final class NotSimulatedException extends IllegalStateException {
  @Serial private static final long serialVersionUID = 1;

  NotSimulatedException(String call, String instead) {
    super(call + " cannot be simulated: " + instead);
  }
}
