package io.millrace.node;

import org.jspecify.annotations.Nullable;

/** A transport could not be started; the message is a sentence for a person. */
public final class TransportException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception with a sentence for a person. */
  public TransportException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
