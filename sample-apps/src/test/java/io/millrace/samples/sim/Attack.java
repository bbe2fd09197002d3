package io.millrace.samples.sim;

/** What a node with right keys does to another one that grants it memory. */
enum Attack {
  /** Writes into the region of another peer. */
  FOREIGN_REGION("WriteRejected"),
  /** Writes under a key that it guessed. */
  GUESSED_KEY("WriteRejected"),
  /** Writes into a region that there is not. */
  UNKNOWN_REGION("WriteRejected"),
  /** Writes behind the end of its own region. */
  BEYOND_THE_END("WriteRejected"),
  /** Writes into its own region before it was given back. */
  EARLY_WRITE("WriteRejected"),
  /** Writes into its own region when that fill was consumed; honest peers do that too, late. */
  LATE_WRITE(""),
  /** Writes into a region that was taken from it. */
  REVOKED_REGION("WriteRejected"),
  /** Writes other bytes than it sealed. */
  BAD_DATA("RecordNotAuthentic"),
  /** Announces bytes under a key that it guessed. */
  FORGED_NOTIFY("WriteRejected"),
  /** Announces bytes in the region of another peer. */
  FOREIGN_NOTIFY("WriteRejected"),
  /** Announces again what it announced before; honest peers do that too. */
  REPLAYED_NOTIFY(""),
  /** Takes all that it is granted and never writes. */
  HOARDED_TOKENS("");

  private final String event;

  Attack(String event) {
    this.event = event;
  }

  /** Name of the event that tells of it; empty where it is counted only. */
  String event() {
    return event;
  }
}
