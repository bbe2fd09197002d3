package io.millrace.config;

/** The algorithm that decides how much a path may have in flight, and how fast the path sends. */
public enum CongestionControllerKind {
  /**
   * By the driver: {@link #NEW_RENO} over UDP; none for a path whose rails all are one-sided,
   * for a fabric controls its congestion itself.
   */
  AUTO,
  /** The window of RFC 9002: halved after a loss, unpaced. */
  NEW_RENO,
  /** The window of RFC 9002, spread over the round trip. */
  NEW_RENO_PACED,
  /** Measures the path's delivery rate and paces at this rate: draft-ietf-ccwg-bbr. */
  BBR
}
