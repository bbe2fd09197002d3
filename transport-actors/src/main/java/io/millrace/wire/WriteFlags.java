package io.millrace.wire;

/** Flags of a {@code WriteNotify} frame and of a {@code FlowReset} frame. */
public final class WriteFlags {
  /** The body is a response. */
  public static final int RESPONSE = 1;

  /** The body ends here. */
  public static final int END = 2;

  /** Of a {@code WriteNotify}: one-sided writes have put all bytes of its fills in place. */
  public static final int PLACED = 4;

  /** Of a {@code WriteNotify} that gives fills up: writes into their regions may still land. */
  public static final int RETURNED = 8;

  /** Of a {@code WriteNotify}: the payload of the body is authenticated and not enciphered. */
  public static final int AUTHENTICATED = 16;

  /** Of a {@code FlowReset}: it comes from the sender of the body. */
  public static final int FROM_SENDER = 2;

  /** Of a {@code FlowReset}: the sender knows nothing of a transfer that it was challenged for. */
  public static final int ANSWERS_CHALLENGE = 4;

  private WriteFlags() {}
}
