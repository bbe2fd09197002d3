package io.millrace.samples.store;

import io.millrace.api.IntendedFailure;
import java.io.IOException;

/** The store could not do what it was asked for; the message is one sentence. */
public final class StoreException extends IOException implements IntendedFailure {
  private static final long serialVersionUID = 1L;

  /** Creates the failure. */
  public StoreException(String message) {
    super(message);
  }

  /** Creates the failure with its cause. */
  public StoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
