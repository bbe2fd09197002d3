package io.millrace.api.bulk;

import java.io.IOException;

/**
 * The refusal of a peer's name for a file; the message repeats the name, never a real path. As an
 * answer the exception is no fault of the handler.
 */
public final class PlacementException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates the refusal of one name. */
  public PlacementException(String message) {
    super(message);
  }
}
