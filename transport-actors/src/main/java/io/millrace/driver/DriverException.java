package io.millrace.driver;

/** A control-plane call of a driver failed; the message is a sentence for a person. */
public class DriverException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Creates the exception with a sentence for a person. */
  public DriverException(String message) {
    super(message);
  }

  /** Creates the exception with a sentence for a person and the cause of the failure. */
  public DriverException(String message, Throwable cause) {
    super(message, cause);
  }
}
