package io.millrace.api.bulk;

/** What becomes of a transfer into two targets when the cache fails. */
public enum TeePolicy {
  /** The transfer fails, and both targets are aborted. */
  FAIL_BOTH,
  /** The cache alone is aborted; the transfer goes on into the primary target. */
  DROP_CACHE
}
