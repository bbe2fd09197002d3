package io.millrace.crypto;

/** The direction of a packet on a path, named by the side that began the handshake. */
public enum PathDirection {
  /** From the side that began the handshake. */
  INITIATOR_TO_RESPONDER(0),
  /** From the side that answered the handshake. */
  RESPONDER_TO_INITIATOR(1);

  private final int code;

  PathDirection(int code) {
    this.code = code;
  }

  /** The byte that stands for this direction where keys are derived. */
  public int code() {
    return code;
  }

  /** The direction in which a side of the path seals. */
  public static PathDirection sending(boolean initiator) {
    return initiator ? INITIATOR_TO_RESPONDER : RESPONDER_TO_INITIATOR;
  }

  /** The direction in which a side of the path opens. */
  public static PathDirection receiving(boolean initiator) {
    return sending(!initiator);
  }
}
