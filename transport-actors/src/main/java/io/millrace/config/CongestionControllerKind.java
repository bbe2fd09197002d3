package io.millrace.config;

/** What decides how much a path may have in flight, and how fast it sends. */
public enum CongestionControllerKind {
  /** The window of RFC 9002: half of it after a loss, unpaced. */
  NEW_RENO,
  /** Measures what the path delivers and paces at that: draft-ietf-ccwg-bbr. */
  BBR
}
