package io.millrace.samples.log.node;

import io.millrace.api.IntendedFailure;

/** A replica takes no part yet: the others have not noted its directory, see {@link Admission}. */
final class NotAdmittedException extends RuntimeException implements IntendedFailure {
  private static final long serialVersionUID = 1L;

  NotAdmittedException() {
    super("this replica takes no part yet", null, false, false);
  }
}
