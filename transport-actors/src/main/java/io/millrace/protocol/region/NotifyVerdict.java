package io.millrace.protocol.region;

/** What a notification of a fill is worth. */
public enum NotifyVerdict {
  /** The first of this fill; its length is noted. */
  OK,

  /** This fill was notified before. */
  DUPLICATE,

  /** An older fill, which was taken out before. */
  STALE,

  /** The token was this sender's and has been revoked. */
  REVOKED,

  /** There is no region of this index. */
  FORGED_REGION,

  /** The region is not this sender's; it may have been, before a revocation. */
  FORGED_OWNER,

  /** The key is not the region's current one. */
  FORGED_KEY,

  /** A fill that has not begun. */
  FORGED_FILL,

  /** More than may be written. */
  FORGED_LENGTH
}
