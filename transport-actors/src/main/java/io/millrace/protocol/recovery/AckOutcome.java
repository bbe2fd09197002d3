package io.millrace.protocol.recovery;

/** What {@link PathRecovery#onAck} made of an acknowledgement. */
public enum AckOutcome {
  /** It was applied. */
  APPLIED,

  /**
   * It acknowledges packets that were never sent, or its ranges make no sense. Nothing was applied;
   * the owner closes the path with a protocol violation.
   */
  VIOLATION
}
