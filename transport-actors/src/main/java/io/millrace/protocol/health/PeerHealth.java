package io.millrace.protocol.health;

/** What is known of a peer; {@link HealthTransitions} says what leads from one to the other. */
public enum PeerHealth {
  /** Heard of lately, or nothing is outstanding that would need it. */
  HEALTHY,

  /** Silent for longer than it should be; probes are on their way. */
  PROBING,

  /** Silent for too long: given up. Final for the path; a new path starts with a new machine. */
  FAILED
}
