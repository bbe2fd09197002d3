package io.millrace.transfer;

/** How a peer is, as this node knows it; {@code docs/states.md} has what leads from one to next. */
public enum PeerHealth {
  /** It answers, and little of what is sent to it fails. */
  HEALTHY,

  /** Much of what is sent to it fails, or it was just found again: new calls have less priority. */
  DEGRADED,

  /** It did not answer, or answers again for the first time: no new call is sent to it. */
  PROBING,

  /** It was given up: its paths have ended, and it is looked for slowly. */
  FAILED;

  /** Whether new calls are sent to such a peer. */
  public boolean takesCalls() {
    return this == HEALTHY || this == DEGRADED;
  }
}
