package io.millrace.efa.ofi;

import io.millrace.driver.DriverException;

/** A control-plane call of libfabric failed. */
public final class FabricException extends DriverException {
  private static final long serialVersionUID = 1L;

  private final int errno;

  /**
   * Names the call and what it answered.
   *
   * @param errno positive, one of {@link FabricErrno}
   * @param text what libfabric calls it
   */
  public FabricException(String call, int errno, String text) {
    super(call + " failed: " + text + " (-" + errno + ")");
    this.errno = errno;
  }

  /** The error number, positive. */
  public int errno() {
    return errno;
  }
}
