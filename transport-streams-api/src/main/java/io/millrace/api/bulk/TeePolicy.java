package io.millrace.api.bulk;

/** The effect of a failed cache on a transfer into two targets. */
public enum TeePolicy {
  /**
   * The transfer fails and both targets are aborted, if the cache fails before all bytes are in
   * both targets. Then the cache completes first, and the primary only after the cache has
   * completed: a primary is never in place without its cache. If the primary cannot complete, the
   * transfer fails although the complete cache is in place. The listener of the cache gets the
   * reason, so the application can remove the cache.
   */
  FAIL_BOTH,
  /**
   * The cache alone is aborted, and the transfer goes on into the primary target. The primary
   * completes first: a cache is never in place without its primary.
   */
  DROP_CACHE
}
