package io.millrace.protocol.region;

/** The events of a token of the sender. */
public enum TokenEvent {
  /** A fill begins. */
  ACQUIRE,

  /** The fill ends before anything was written. */
  RELEASE,

  /** All bytes of the fill were handed to the network. */
  WRITE_OUT,

  /** The receiver took the fill out and lets this sender fill the region again. */
  REUSE,

  /** The token was revoked, has expired, or a write under the token failed. */
  VOID
}
