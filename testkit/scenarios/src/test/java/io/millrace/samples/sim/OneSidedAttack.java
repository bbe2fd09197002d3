package io.millrace.samples.sim;

import java.util.regex.Pattern;

/**
 * The attacks of a node with right keys by one-sided writes to another node that grants memory to
 * the attacker. A network adapter tells nobody but the writer of a refusal, so the writer goes on
 * and announces its bytes as if written.
 */
enum OneSidedAttack {
  /** Writes under a guessed key, and announces the write. */
  GUESSED_KEY(true, "WriteRejected", "FORGED_KEY"),
  /** Writes behind the end of its own region. */
  BEYOND_THE_END(true, "WriteRejected", "FORGED_KEY"),
  /** Writes into its own region more bytes than are left of the region. */
  ACROSS_THE_END(true, "WriteRejected", "FORGED_KEY"),
  /** Writes into a revoked region, and announces the write. */
  REVOKED_REGION(true, "WriteRejected", "FORGED_OWNER|FORGED_KEY"),
  /** Announces more bytes than its region holds, which ends its path, and writes these bytes. */
  OVERLONG_NOTIFY(true, "ProtocolViolation", ""),
  /** Writes under a key stolen from another peer, and announces the write. */
  STOLEN_KEY(false, "WriteRejected", "FORGED_OWNER"),
  /** Writes again into its own region after the announcement of its bytes. */
  CHANGED_AFTER_NOTIFY(false, "RecordNotAuthentic", "");

  private final boolean isRefused;
  private final Pattern line;

  OneSidedAttack(boolean isRefused, String event, String reasons) {
    this.isRefused = isRefused;
    line =
        Pattern.compile(event + " .*" + (reasons.isEmpty() ? "" : " reason=(" + reasons + ") .*"));
  }

  /** Returns whether the victim's adapter refuses the writes. */
  boolean isRefused() {
    return isRefused;
  }

  /** Returns whether this line of an event tells of the attack, for the right reason. */
  boolean isToldBy(String text) {
    return line.matcher(text).matches();
  }
}
