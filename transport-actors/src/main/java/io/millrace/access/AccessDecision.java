package io.millrace.access;

import java.util.Objects;

/**
 * Whether a peer may do something.
 *
 * @param isAllowed whether the use is allowed
 * @param reason the reason of a denial, a sentence for the peer and for the log of this node; empty
 *     for a permission
 */
public record AccessDecision(boolean isAllowed, String reason) {
  /** The permission. */
  public static final AccessDecision ALLOWED = new AccessDecision(true, "");

  /** Nothing may be null. */
  public AccessDecision {
    Objects.requireNonNull(reason, "reason");
  }

  /**
   * Creates a denial.
   *
   * @param reason a sentence; the peer is told the reason, so the reason names no secret of this
   *     node
   */
  public static AccessDecision denied(String reason) {
    return new AccessDecision(false, reason);
  }
}
