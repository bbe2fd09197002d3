package io.millrace.api.bulk;

/** What becomes of a transfer into two targets when the cache fails. */
public enum TeePolicy {
  /**
   * The transfer fails, and both targets are aborted, until all bytes are in both. Then the cache
   * is completed first, and the primary only if that went well: never is a primary in place without
   * its cache. If the primary cannot be completed, the transfer fails though the cache is in place,
   * whole; whoever hears of the cache is told why, so that it can be removed.
   */
  FAIL_BOTH,
  /**
   * The cache alone is aborted; the transfer goes on into the primary target, which is completed
   * first: never is a cache in place without its primary.
   */
  DROP_CACHE
}
