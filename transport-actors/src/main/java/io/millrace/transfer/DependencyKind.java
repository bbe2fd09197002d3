package io.millrace.transfer;

/** For what of another transfer a transfer waits, and whether it fails with it. */
public enum DependencyKind {
  /** Begins after the other was answered well; fails at once if it was not. */
  RESPONSE_CRITICAL(true, true),
  /**
   * Begins when the request of the other is on its way; fails at once if the other fails, as long
   * as it has not ended. It may have been executed by then.
   */
  REQUEST_CRITICAL(false, true),
  /** Begins after the other has ended, however that was. */
  RESPONSE_OPTIONAL(true, false),
  /** Begins when the request of the other is on its way, or the other has ended without. */
  REQUEST_OPTIONAL(false, false);

  /** What is meant by a critical dependency without more words. */
  public static final DependencyKind CRITICAL = RESPONSE_CRITICAL;

  /** What is meant by an optional dependency without more words. */
  public static final DependencyKind OPTIONAL = RESPONSE_OPTIONAL;

  private final boolean isForResponse;
  private final boolean isCascading;

  DependencyKind(boolean isForResponse, boolean isCascading) {
    this.isForResponse = isForResponse;
    this.isCascading = isCascading;
  }

  /** Whether it waits for the answer of the other, else for its request to be sent. */
  public boolean isForResponse() {
    return isForResponse;
  }

  /** Whether a failure of the other is one of this, too. */
  public boolean isCascading() {
    return isCascading;
  }
}
