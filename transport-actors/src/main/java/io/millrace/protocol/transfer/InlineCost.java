package io.millrace.protocol.transfer;

/** What an inline message costs of the receiver's credit; both sides compute it alike, rule C-1. */
public final class InlineCost {
  private static final int PER_MESSAGE_BYTES = 64;

  private InlineCost() {}

  /** Bytes of credit for one message: its headers and payload plus 64 for keeping it. */
  public static int of(int headersLength, int payloadLength) {
    return PER_MESSAGE_BYTES + headersLength + payloadLength;
  }
}
