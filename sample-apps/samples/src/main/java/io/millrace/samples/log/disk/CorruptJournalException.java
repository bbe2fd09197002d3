package io.millrace.samples.log.disk;

import java.io.IOException;

/**
 * The disk does not have the bytes any more that were forced to the disk. The journal has changed
 * nothing.
 */
public final class CorruptJournalException extends IOException {
  private static final long serialVersionUID = 1L;

  CorruptJournalException(String message) {
    super(message);
  }
}
