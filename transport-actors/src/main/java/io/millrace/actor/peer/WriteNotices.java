package io.millrace.actor.peer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The notifications of one path that are under way, found again by what loss recovery remembers of
 * them. Worker's thread only; allocates only while it grows.
 */
final class WriteNotices {
  private static final int SLOT_MASK = (1 << 24) - 1;

  private final List<WriteNotice> all = new ArrayList<>();
  private final ArrayDeque<WriteNotice> free = new ArrayDeque<>();

  WriteNotice take() {
    WriteNotice notice = free.pollLast();
    if (notice == null) {
      notice = new WriteNotice(all.size());
      all.add(notice);
    }
    return notice;
  }

  /** The notice of this item, or null if it is over. */
  @Nullable WriteNotice find(long item) {
    int slot = (int) item & SLOT_MASK;
    int generation = (int) (item >>> 32) & SLOT_MASK;
    if (slot >= all.size()) {
      return null;
    }
    WriteNotice notice = all.get(slot);
    return notice.generation() == generation && !notice.isOver() ? notice : null;
  }

  /** It arrived, or nobody needs it: it is used again as soon as it stands in no queue. */
  void onOver(WriteNotice notice) {
    if (notice.isOver()) {
      return;
    }
    notice.onOver();
    if (!notice.isQueued()) {
      putBack(notice);
    }
  }

  /** It left its queue unsent because it was obsolete. */
  void onUnqueued(WriteNotice notice) {
    notice.onOver();
    putBack(notice);
  }

  private void putBack(WriteNotice notice) {
    notice.clear();
    free.addLast(notice);
  }
}
