package io.millrace.api.bulk;

import java.io.IOException;

/** The failure of a transfer whose application stream wants no more bytes. */
public final class CancelledException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates the failure of one transfer. */
  public CancelledException(String message) {
    super(message);
  }
}
