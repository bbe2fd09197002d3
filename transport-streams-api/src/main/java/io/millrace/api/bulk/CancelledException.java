package io.millrace.api.bulk;

import java.io.IOException;

/** The stream at the application's side of a transfer wants no more bytes. */
public final class CancelledException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates the failure of one transfer. */
  public CancelledException(String message) {
    super(message);
  }
}
