package io.millrace.access;

import java.util.Objects;

/**
 * Whether a peer may do something.
 *
 * @param isAllowed whether it may
 * @param reason why not, one sentence that the peer and the log of this node are told; empty if it
 *     may
 */
public record AccessDecision(boolean isAllowed, String reason) {
  /** It may. */
  public static final AccessDecision ALLOWED = new AccessDecision(true, "");

  /** Nothing may be null. */
  public AccessDecision {
    Objects.requireNonNull(reason, "reason");
  }

  /**
   * It may not.
   *
   * @param reason one sentence; the peer is told, so it names no secret of this node
   */
  public static AccessDecision denied(String reason) {
    return new AccessDecision(false, reason);
  }
}
