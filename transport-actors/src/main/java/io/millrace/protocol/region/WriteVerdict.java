package io.millrace.protocol.region;

/** Whether bytes may land in a region; all but {@link #OK} are dropped and counted. */
public enum WriteVerdict {
  /** The bytes may land. */
  OK,

  /** The pool has no region of this index. */
  UNKNOWN_REGION,

  /** The region is not this sender's; a revocation may have taken the region away. */
  NOT_OWNER,

  /** The key is not the region's current key. */
  WRONG_KEY,

  /** The token was this sender's and has been revoked. */
  REVOKED,

  /** An older fill, late. */
  STALE_FILL,

  /** A fill that has not begun: no honest sender knows of such a fill. */
  FUTURE_FILL,

  /** Outside the region, or no bytes at all. */
  OUT_OF_BOUNDS,

  /** Beyond the bytes that may be written of this fill now, or beyond the fill's announced end. */
  NOT_AUTHORISED,

  /** All bytes of this fill have arrived and are being read: a duplicate. */
  ALREADY_CONSUMING
}
