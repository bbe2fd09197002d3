package io.millrace.buffer;

import io.millrace.buffer.MemoryWaiter.Wait;
import org.jspecify.annotations.Nullable;

/**
 * Waits in a row that can be removed from any place: an ended wait would else be kept as long as
 * earlier waits last. A wait is in a single line at most. Only the serving thread touches a line.
 */
final class WaitLine {
  private @Nullable Wait first;
  private @Nullable Wait last;

  boolean isEmpty() {
    return first == null;
  }

  @Nullable Wait first() {
    return first;
  }

  void addLast(Wait wait) {
    wait.enter(this, last, null);
    link(last, wait, null);
  }

  void addFirst(Wait wait) {
    wait.enter(this, null, first);
    link(null, wait, first);
  }

  private void link(@Nullable Wait before, Wait wait, @Nullable Wait after) {
    if (before == null) {
      first = wait;
    } else {
      before.next(wait);
    }
    if (after == null) {
      last = wait;
    } else {
      after.previous(wait);
    }
  }

  /** Takes the first, or answers null. */
  @Nullable Wait poll() {
    Wait wait = first;
    if (wait != null) {
      remove(wait);
    }
    return wait;
  }

  /** Removes a wait of this line. */
  void remove(Wait wait) {
    Wait before = wait.previous();
    Wait after = wait.next();
    if (before == null) {
      first = after;
    } else {
      before.next(after);
    }
    if (after == null) {
      last = before;
    } else {
      after.previous(before);
    }
    wait.leave();
  }
}
