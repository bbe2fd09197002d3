package io.millrace.api.bulk;

import io.millrace.api.IntendedFailure;
import java.io.IOException;

/** A peer named a file that it may not have; the message repeats the name, never a real path. */
public final class PlacementException extends IOException implements IntendedFailure {
  private static final long serialVersionUID = 1L;

  /** Creates the refusal of one name. */
  public PlacementException(String message) {
    super(message);
  }
}
