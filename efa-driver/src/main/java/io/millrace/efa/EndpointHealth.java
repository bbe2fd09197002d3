package io.millrace.efa;

import io.millrace.efa.ofi.FabricErrno;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the provider's queue of completions still serves: the queue has failed after
 * {@link #BROKEN_ERRORS} failed reads in a row, until a read succeeds. A queue that has overrun has
 * lost completions and has failed for good, as has a queue behind an operation that never ends.
 *
 * <p>Owned by the endpoint's thread.
 */
final class EndpointHealth {
  /** The number of consecutive failed reads of the queue that mark a broken device. */
  static final int BROKEN_ERRORS = 8;

  private int errorsInRow;
  private int lastErrno;
  private boolean hasOverrun;
  private boolean isBlocked;
  private boolean isFull;

  /** A read of the queue gave completions, or none. */
  void onRead() {
    errorsInRow = 0;
  }

  /** A read of the queue failed; {@code errno} is positive. */
  void onFailedRead(int errno) {
    errorsInRow = Math.min(errorsInRow + 1, BROKEN_ERRORS);
    lastErrno = errno;
    hasOverrun |= errno == FabricErrno.FI_EOVERRUN;
  }

  /** An operation waits for a peer that is gone, and all later completions wait behind it. */
  void onBlocked() {
    isBlocked = true;
  }

  /** The provider may be out of places for senders. */
  void onFull() {
    isFull = true;
  }

  /** Whether the provider may be called to make progress: it takes no more senders then. */
  boolean mayPoll() {
    return !isFull;
  }

  /** Whether completions are lost for good: no operation under way completes any more. */
  boolean isLost() {
    return hasOverrun || isBlocked || isFull;
  }

  /** Whether operations may be posted and complete. */
  boolean isUp() {
    return !isLost() && errorsInRow < BROKEN_ERRORS;
  }

  /** Returns the reason why the endpoint is not up, for a person; null for an endpoint that is. */
  @Nullable String fault() {
    if (isUp()) {
      return null;
    }
    if (isFull) {
      return "the endpoint has met more peers with shared memory than the provider holds";
    }
    if (isBlocked) {
      return "a write waits for a process that is gone, and all later writes wait behind it";
    }
    return hasOverrun
        ? "the completion queue has overrun: completions are lost, and the endpoint with them"
        : "the completion queue gives only errors, the last of them " + lastErrno;
  }
}
