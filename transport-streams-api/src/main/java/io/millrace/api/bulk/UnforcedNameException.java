package io.millrace.api.bulk;

import io.millrace.transfer.FileMention;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A file is whole and has its name, but the device did not confirm the name: a crash of the machine
 * may leave what had the name before. The bytes themselves are on the device; those of a file that
 * was not to be forced perhaps not, and some may be lost where its close failed.
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
