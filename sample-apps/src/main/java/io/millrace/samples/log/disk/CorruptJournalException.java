package io.millrace.samples.log.disk;

import java.io.IOException;

/** What was forced to the disk is not there any more as it was. Nothing was changed. */
public final class CorruptJournalException extends IOException {
  private static final long serialVersionUID = 1L;

  CorruptJournalException(String message) {
    super(message);
  }
}
