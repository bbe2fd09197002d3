package io.millrace.efa;

import io.millrace.efa.ofi.FabricErrno;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the provider's queue of completions still serves: the queue has failed after
 * {@link #BROKEN_ERRORS} failed reads in a row, until a read succeeds; a queue that has overrun has
 * lost completions and has failed for good.
 *
 * <p>Owned by the endpoint's thread.
 */
final class EndpointHealth {
  /** The number of consecutive failed reads of the queue that mark a broken device. */
  static final int BROKEN_ERRORS = 8;

  private int errorsInRow;
  private int lastErrno;
  private boolean hasOverrun;

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

  /** Whether operations may be posted and complete. */
  boolean isUp() {
    return !hasOverrun && errorsInRow < BROKEN_ERRORS;
  }

  /** Returns the reason why the endpoint is not up, for a person; null for an endpoint that is. */
  @Nullable String fault() {
    if (isUp()) {
      return null;
    }
    return hasOverrun
        ? "the completion queue has overrun: completions are lost, and the endpoint with them"
        : "the completion queue gives only errors, the last of them " + lastErrno;
  }
}
