package io.millrace.protocol.transfer;

/**
 * The cost of an inline message in the receiver's credit; both sides compute the cost alike, rule
 * C-1.
 */
public final class InlineCost {
  private static final int PER_MESSAGE_BYTES = 64;

  /** An answer that has no more than this needs no credit; rule C-8. */
  private static final int FREE_ANSWER_BYTES = 128;

  private InlineCost() {}

  /** Bytes of credit for an answer to a node that bounds unasked data; rule C-8. */
  public static int ofAnswer(int headersLength, int payloadLength) {
    return headersLength + payloadLength <= FREE_ANSWER_BYTES
        ? 0
        : of(headersLength, payloadLength);
  }

  /** Bytes of credit for a message: its headers and payload plus 64 for the keeping. */
  public static int of(int headersLength, int payloadLength) {
    return PER_MESSAGE_BYTES + headersLength + payloadLength;
  }
}
