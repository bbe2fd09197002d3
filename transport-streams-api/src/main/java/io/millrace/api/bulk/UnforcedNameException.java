package io.millrace.api.bulk;

import java.io.IOException;

/**
 * A file is whole and has its name, but the device did not confirm the name: a crash of the machine
 * may leave what had the name before. The bytes themselves are on the device.
 */
public final class UnforcedNameException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates the failure of one file. */
  public UnforcedNameException(String message, IOException cause) {
    super(message, cause);
  }
}
