package io.millrace.protocol.causality;

import org.jspecify.annotations.Nullable;

/** A transfer that the receiver holds back; see {@link ArrivedNumbers}. */
public abstract class HeldTransfer {
  /** A number that the transfer waits for, in the list of this number. */
  static final class Link {
    final HeldTransfer held;
    final long number;
    final boolean isCascading;
    @Nullable Link previous;
    @Nullable Link next;

    /** The next number that the same transfer waits for. */
    final @Nullable Link sibling;

    private Link(HeldTransfer held, long number, boolean isCascading, @Nullable Link sibling) {
      this.held = held;
      this.number = number;
      this.isCascading = isCascading;
      this.sibling = sibling;
    }
  }

  private @Nullable Link links;
  private int missing;
  private long root;
  private boolean isSettled;
  private boolean isAbandoned;

  /** For subclasses. */
  protected HeldTransfer() {}

  final Link link(long number, boolean isCascading) {
    missing++;
    Link link = new Link(this, number, isCascading, links);
    links = link;
    return link;
  }

  /** The first of the numbers that the transfer waits for or waited for, or null. */
  final @Nullable Link links() {
    return links;
  }

  /** A transfer that this transfer names had failed already. */
  final void fail(long failedRoot) {
    root = failedRoot;
    isSettled = true;
  }

  /** A number has ended; returns whether this end settles the transfer. */
  final boolean onEnded(boolean isSuccess, long failedRoot, boolean isCascading) {
    if (isSettled) {
      return false;
    }
    missing--;
    if (!isSuccess && isCascading) {
      fail(failedRoot);
    } else {
      isSettled = missing == 0;
    }
    return isSettled;
  }

  final void abandon() {
    isSettled = true;
    isAbandoned = true;
    links = null;
  }

  /** Whether the transfer is not wanted any more. */
  final boolean isAbandoned() {
    return isAbandoned;
  }

  /** Whether the transfer waits for a number. */
  public final boolean isWaiting() {
    return !isSettled && missing > 0;
  }

  /**
   * The token at the root of the failure that ends the transfer, or 0: then the transfer may begin.
   */
  public final long root() {
    return root;
  }
}
