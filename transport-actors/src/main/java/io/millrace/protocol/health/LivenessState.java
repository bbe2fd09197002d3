package io.millrace.protocol.health;

/**
 * What one path knows of its peer; {@link LivenessTransitions} says what leads from one to the
 * other.
 */
public enum LivenessState {
  /** Heard of lately, or nothing is outstanding that would need it. */
  HEARD,

  /** Silent for longer than it should be; probes are on their way. */
  PROBED,

  /** Silent for too long, or not there: given up. Final; a new path starts with a new machine. */
  LOST
}
