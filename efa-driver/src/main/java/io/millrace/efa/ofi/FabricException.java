package io.millrace.efa.ofi;

import io.millrace.driver.DriverException;

/** The failure of a control-plane call of libfabric. */
public final class FabricException extends DriverException {
  private static final long serialVersionUID = 1L;

  private final int errno;

  /**
   * Creates the failure with the call and its answer.
   *
   * @param errno the error number, positive, from {@link FabricErrno}
   * @param text libfabric's text for the error
   */
  public FabricException(String call, int errno, String text) {
    super(call + " failed: " + text + " (-" + errno + ")");
    this.errno = errno;
  }

  /** Returns the error number, positive. */
  public int errno() {
    return errno;
  }
}
