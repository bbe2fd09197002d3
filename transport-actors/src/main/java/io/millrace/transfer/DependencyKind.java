package io.millrace.transfer;

/**
 * The part of another transfer that a transfer waits for, and whether a failure of the other
 * transfer is a failure of this transfer.
 */
public enum DependencyKind {
  /** Begins after the other transfer was answered well; fails at once if the other was not. */
  RESPONSE_CRITICAL(true, true),
  /**
   * Begins when the request of the other transfer is on its way; fails at once if the other fails,
   * as long as this transfer has not ended. The transfer may have been executed by this time.
   */
  REQUEST_CRITICAL(false, true),
  /** Begins after the other transfer has ended, well or not. */
  RESPONSE_OPTIONAL(true, false),
  /** Begins when the request of the other is on its way, or the other has ended without. */
  REQUEST_OPTIONAL(false, false);

  /** The critical dependency that an application means without more words. */
  public static final DependencyKind CRITICAL = RESPONSE_CRITICAL;

  /** The optional dependency that an application means without more words. */
  public static final DependencyKind OPTIONAL = RESPONSE_OPTIONAL;

  private final boolean isForResponse;
  private final boolean isCascading;

  DependencyKind(boolean isForResponse, boolean isCascading) {
    this.isForResponse = isForResponse;
    this.isCascading = isCascading;
  }

  /**
   * Whether a transfer waits for the response of the other transfer, or else for the sending of the
   * other's request.
   */
  public boolean isForResponse() {
    return isForResponse;
  }

  /** Whether a failure of the other transfer is a failure of this transfer, too. */
  public boolean isCascading() {
    return isCascading;
  }
}
