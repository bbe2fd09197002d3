package io.millrace.driver;

/** Why a driver keeps the posts to a destination for later. */
public enum HoldCause {
  /** The queue of the device, or of the connection to the destination, takes no more. */
  QUEUE_FULL("queue full"),

  /** The destination has no free receive buffer. */
  NOT_READY("receiver not ready");

  private final String text;

  HoldCause(String text) {
    this.text = text;
  }

  /** The cause in a few words. */
  public String text() {
    return text;
  }
}
