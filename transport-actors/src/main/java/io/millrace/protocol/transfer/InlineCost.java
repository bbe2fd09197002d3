package io.millrace.protocol.transfer;

/** What an inline message costs of the receiver's credit; both sides compute it alike, rule C-1. */
public final class InlineCost {
  private static final int PER_MESSAGE_BYTES = 64;

  /** An answer that has no more than this needs no credit; rule C-8. */
  private static final int FREE_ANSWER_BYTES = 128;

  private InlineCost() {}

  /** Bytes of credit for an answer to a node that bounds what it is sent unasked; rule C-8. */
  public static int ofAnswer(int headersLength, int payloadLength) {
    return headersLength + payloadLength <= FREE_ANSWER_BYTES
        ? 0
        : of(headersLength, payloadLength);
  }

  /** Bytes of credit for one message: its headers and payload plus 64 for keeping it. */
  public static int of(int headersLength, int payloadLength) {
    return PER_MESSAGE_BYTES + headersLength + payloadLength;
  }
}
