package io.millrace.samples.sim;

import java.util.regex.Pattern;

/** The attacks of a node with right keys on another node that grants memory to the attacker. */
enum Attack {
  /** Writes into the region of another peer. */
  FOREIGN_REGION("WriteRejected", "NOT_OWNER"),
  /** Writes under a guessed key. */
  GUESSED_KEY("WriteRejected", "WRONG_KEY"),
  /** Writes into a region that does not exist. */
  UNKNOWN_REGION("WriteRejected", "UNKNOWN_REGION"),
  /** Writes behind the end of its own region. */
  BEYOND_THE_END("WriteRejected", "OUT_OF_BOUNDS"),
  /** Writes into its own region before the region was given back. */
  EARLY_WRITE("WriteRejected", "FUTURE_FILL"),
  /** Writes into its own region after the fill was consumed; honest peers do so too, late. */
  LATE_WRITE("StaleWrite", "STALE_FILL|ALREADY_CONSUMING"),
  /** Writes into a revoked region. */
  REVOKED_REGION("WriteRejected", "REVOKED|NOT_OWNER|WRONG_KEY"),
  /** Writes other bytes than the sealed bytes. */
  BAD_DATA("RecordNotAuthentic", ""),
  /** Announces bytes under a guessed key. */
  FORGED_NOTIFY("WriteRejected", "FORGED_KEY"),
  /** Announces bytes in the region of another peer. */
  FOREIGN_NOTIFY("WriteRejected", "FORGED_OWNER"),
  /** Announces the same bytes again; honest peers do so too. */
  REPLAYED_NOTIFY("StaleWrite", "STALE|DUPLICATE"),
  /** Writes again over announced bytes, while these bytes wait to be read. */
  CHANGED_AFTER_NOTIFY("StaleWrite", "STALE_FILL|ALREADY_CONSUMING"),
  /** Wants all regions, before all other peers, takes the regions and writes no right byte. */
  HOARDED_TOKENS("", "");

  private final String event;
  private final Pattern line;

  Attack(String event, String reasons) {
    this.event = event;
    line =
        Pattern.compile(event + " .*" + (reasons.isEmpty() ? "" : " reason=(" + reasons + ") .*"));
  }

  /** Returns whether the attack is on a region that must not be taken from its holder meanwhile. */
  boolean isOnWhatStays() {
    return this == REPLAYED_NOTIFY || this == CHANGED_AFTER_NOTIFY;
  }

  /**
   * Returns the name of the event that tells of the attack; empty for an attack that is counted
   * only.
   */
  String event() {
    return event;
  }

  /** Returns whether this line of an event tells of the attack, for the right reason. */
  boolean isToldBy(String text) {
    return line.matcher(text).matches();
  }
}
