package io.millrace.samples.log.disk;

import java.io.IOException;

/**
 * Bytes that were forced to the disk are not as they were any more. The journal has changed
 * nothing.
 */
public final class CorruptJournalException extends IOException {
  private static final long serialVersionUID = 1L;

  CorruptJournalException(String message) {
    super(message);
  }
}
