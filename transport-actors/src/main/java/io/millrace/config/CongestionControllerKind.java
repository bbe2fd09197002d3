package io.millrace.config;

/** The algorithm that decides how much a path may have in flight, and how fast the path sends. */
public enum CongestionControllerKind {
  /** The window of RFC 9002: halved after a loss, unpaced. */
  NEW_RENO,
  /** Measures the path's delivery rate and paces at this rate: draft-ietf-ccwg-bbr. */
  BBR
}
