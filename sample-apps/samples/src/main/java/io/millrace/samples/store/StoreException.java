package io.millrace.samples.store;

import io.millrace.api.CallException;
import io.millrace.api.IntendedFailure;
import java.io.IOException;

/** The store could not do a request; the message is one sentence. */
public final class StoreException extends IOException implements IntendedFailure {
  private static final long serialVersionUID = 1L;
  private static final String GONE =
      "this daemon has the replica no more: ask the coordinator again";

  /** Creates the failure. */
  public StoreException(String message) {
    super(message);
  }

  /** Returns the failure of a read whose replica was evicted after the look-up. */
  static StoreException gone() {
    return new StoreException(GONE);
  }

  /** Returns whether a read failed because the replica was evicted after the look-up. */
  public static boolean isGone(Throwable failure) {
    Throwable cause = failure;
    while (cause != null && !isGoneItself(cause)) {
      cause = cause.getCause();
    }
    return cause != null;
  }

  private static boolean isGoneItself(Throwable failure) {
    String text =
        failure instanceof CallException call
            ? call.peerCause().orElse("")
            : failure instanceof StoreException ? String.valueOf(failure.getMessage()) : "";
    return text.contains(GONE);
  }

  /** Creates the failure with its cause. */
  public StoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
