package io.millrace.samples.sim;

import java.util.regex.Pattern;

/**
 * What a node with right keys does with one-sided writes to another one that grants it memory. A
 * network adapter tells nobody but the writer what it refuses, so the writer goes on and announces
 * its bytes as if they were there.
 */
enum OneSidedAttack {
  /** Writes under a key that it guessed, and announces that. */
  GUESSED_KEY(true, "WriteRejected", "FORGED_KEY"),
  /** Writes behind the end of its own region. */
  BEYOND_THE_END(true, "WriteRejected", "FORGED_KEY"),
  /** Writes into its own region more than is left of it. */
  ACROSS_THE_END(true, "WriteRejected", "FORGED_KEY"),
  /** Writes into a region that was taken from it, and announces that. */
  REVOKED_REGION(true, "WriteRejected", "FORGED_OWNER|FORGED_KEY"),
  /** Announces more than its region holds, which ends its path, and writes that. */
  OVERLONG_NOTIFY(true, "ProtocolViolation", ""),
  /** Writes under a key that it stole from another peer, and announces that. */
  STOLEN_KEY(false, "WriteRejected", "FORGED_OWNER"),
  /** Writes again into its own region once it has announced what is there. */
  CHANGED_AFTER_NOTIFY(false, "RecordNotAuthentic", "");

  private final boolean isRefused;
  private final Pattern line;

  OneSidedAttack(boolean isRefused, String event, String reasons) {
    this.isRefused = isRefused;
    line =
        Pattern.compile(event + " .*" + (reasons.isEmpty() ? "" : " reason=(" + reasons + ") .*"));
  }

  /** Whether the victim's adapter refuses the writes. */
  boolean isRefused() {
    return isRefused;
  }

  /** Whether this line of an event tells of it, for the right reason. */
  boolean isToldBy(String text) {
    return line.matcher(text).matches();
  }
}
