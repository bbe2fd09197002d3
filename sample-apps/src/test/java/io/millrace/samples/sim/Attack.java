package io.millrace.samples.sim;

import java.util.regex.Pattern;

/** What a node with right keys does to another one that grants it memory. */
enum Attack {
  /** Writes into the region of another peer. */
  FOREIGN_REGION("WriteRejected", "NOT_OWNER"),
  /** Writes under a key that it guessed. */
  GUESSED_KEY("WriteRejected", "WRONG_KEY"),
  /** Writes into a region that there is not. */
  UNKNOWN_REGION("WriteRejected", "UNKNOWN_REGION"),
  /** Writes behind the end of its own region. */
  BEYOND_THE_END("WriteRejected", "OUT_OF_BOUNDS"),
  /** Writes into its own region before it was given back. */
  EARLY_WRITE("WriteRejected", "FUTURE_FILL"),
  /** Writes into its own region when that fill was consumed; honest peers do that too, late. */
  LATE_WRITE("StaleWrite", "STALE_FILL|ALREADY_CONSUMING"),
  /** Writes into a region that was taken from it. */
  REVOKED_REGION("WriteRejected", "REVOKED|NOT_OWNER|WRONG_KEY"),
  /** Writes other bytes than it sealed. */
  BAD_DATA("RecordNotAuthentic", ""),
  /** Announces bytes under a key that it guessed. */
  FORGED_NOTIFY("WriteRejected", "FORGED_KEY"),
  /** Announces bytes in the region of another peer. */
  FOREIGN_NOTIFY("WriteRejected", "FORGED_OWNER"),
  /** Announces again what it announced before; honest peers do that too. */
  REPLAYED_NOTIFY("StaleWrite", "STALE|DUPLICATE"),
  /** Writes again where it has announced what is there, while that waits to be read. */
  CHANGED_AFTER_NOTIFY("StaleWrite", "STALE_FILL|ALREADY_CONSUMING"),
  /** Wants all there is, before all others, takes it and writes nothing that is right. */
  HOARDED_TOKENS("", "");

  private final String event;
  private final Pattern line;

  Attack(String event, String reasons) {
    this.event = event;
    line =
        Pattern.compile(event + " .*" + (reasons.isEmpty() ? "" : " reason=(" + reasons + ") .*"));
  }

  /** Whether it is about a region that must not be taken from its holder meanwhile. */
  boolean isOnWhatStays() {
    return this == REPLAYED_NOTIFY || this == CHANGED_AFTER_NOTIFY;
  }

  /** Name of the event that tells of it; empty where it is counted only. */
  String event() {
    return event;
  }

  /** Whether this line of an event tells of it, for the right reason. */
  boolean isToldBy(String text) {
    return line.matcher(text).matches();
  }
}
