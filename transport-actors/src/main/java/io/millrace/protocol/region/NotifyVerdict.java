package io.millrace.protocol.region;

/** The verdict on a notification of a fill. */
public enum NotifyVerdict {
  /** The first notification of this fill; the fill's length is noted. */
  OK,

  /** This fill was notified before. */
  DUPLICATE,

  /** An older fill, which the receiver took out before. */
  STALE,

  /** The token was this sender's and has been revoked. */
  REVOKED,

  /** The pool has no region of this index. */
  FORGED_REGION,

  /** The region is not this sender's; a revocation may have taken the region away. */
  FORGED_OWNER,

  /** The key is not the region's current key. */
  FORGED_KEY,

  /** A fill that has not begun. */
  FORGED_FILL,

  /** More than may be written. */
  FORGED_LENGTH
}
