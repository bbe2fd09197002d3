package io.millrace.protocol.recovery;

/** The result of {@link PathRecovery#onAck} for an acknowledgement. */
public enum AckOutcome {
  /** The acknowledgement was applied. */
  APPLIED,

  /**
   * The frame acknowledges packets that were never sent, or its ranges make no sense. Nothing was
   * applied; the owner closes the path with a protocol violation.
   */
  VIOLATION
}
