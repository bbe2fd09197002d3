package io.millrace.api.bulk;

import io.millrace.transfer.FileMention;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A file is complete and has its name, but the device did not confirm the name: a crash of the
 * machine may bring the previous file of this name back. The bytes themselves are on the device if
 * the file was to be forced. Otherwise the bytes may not be on the device, and a failed close may
 * have lost bytes.
 */
public final class UnforcedNameException extends IOException implements FileMention {
  private static final long serialVersionUID = 1L;

  private final String file;

  /** Creates the failure of one file. */
  public UnforcedNameException(Path file, String reason, IOException cause) {
    super(file + " is in place, but perhaps not on the device: " + reason, cause);
    this.file = file.toString();
  }

  @Override
  public String file() {
    return file;
  }
}
