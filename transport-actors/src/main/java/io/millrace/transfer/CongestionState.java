package io.millrace.transfer;

/**
 * The state of the congestion controller of a path: the first three are of NewReno (RFC 9002), the
 * others of BBR (draft-ietf-ccwg-bbr).
 */
public enum CongestionState {
  /** The window doubles each round trip. */
  SLOW_START,
  /** The window grows by a datagram each round trip. */
  AVOIDANCE,
  /** The window was reduced less than a round trip ago. */
  RECOVERY,
  /** The rate doubles each round trip. */
  STARTUP,
  /** The queue that the start made is let go. */
  DRAIN,
  /** Less is sent than is delivered. */
  DOWN,
  /** The path sends at the rate of delivery. */
  CRUISE,
  /** The path is filled for a round trip. */
  REFILL,
  /** More is sent than is delivered. */
  UP,
  /** Little is in flight, to see the round trip without queues. */
  PROBE_RTT
}
