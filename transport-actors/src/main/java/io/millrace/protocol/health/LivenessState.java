package io.millrace.protocol.health;

/**
 * A path's knowledge of its peer; {@link LivenessTransitions} says how states follow each other.
 */
public enum LivenessState {
  /** Heard of lately, or nothing outstanding would need the peer. */
  HEARD,

  /** The peer is silent for longer than expected; probes are on their way. */
  PROBED,

  /** Silent for too long, or not there: given up. Final; a new path starts with a new machine. */
  LOST
}
