package io.millrace.path.write;

import io.millrace.protocol.transfer.OutboundFrame;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The notifications under way on one path, found again by their items in loss recovery. Worker's
 * thread only; allocates only during growth.
 */
public final class Notifications {
  private static final int SLOT_MASK = (1 << 24) - 1;

  private final List<Notification> all = new ArrayList<>();
  private final ArrayDeque<Notification> free = new ArrayDeque<>();

  Notification take() {
    Notification notification = free.pollLast();
    if (notification == null) {
      notification = new Notification(this, all.size());
      all.add(notification);
    }
    return notification;
  }

  /** The notification of this item, or null for an ended notification. */
  @Nullable Notification find(long item) {
    int slot = (int) item & SLOT_MASK;
    int generation = (int) (item >>> 32) & SLOT_MASK;
    if (slot >= all.size()) {
      return null;
    }
    Notification notification = all.get(slot);
    return notification.generation() == generation && !notification.isOver() ? notification : null;
  }

  /** Returns a notification under way at the beginning of this transfer's request, or null. */
  public @Nullable OutboundFrame openingOf(long transferId) {
    for (int i = 0; i < all.size(); i++) {
      Notification notification = all.get(i);
      if (!notification.isOver() && notification.begins(transferId)) {
        return notification;
      }
    }
    return null;
  }

  /**
   * The notification arrived, or nobody needs the notification: the object is used again as soon as
   * no queue has the object.
   */
  void onOver(Notification notification) {
    if (notification.isOver()) {
      return;
    }
    notification.onOver();
    if (!notification.isQueued()) {
      putBack(notification);
    }
  }

  /** The notification left its queue unsent because the notification was obsolete. */
  void onUnqueued(Notification notification) {
    notification.onOver();
    putBack(notification);
  }

  private void putBack(Notification notification) {
    if (notification.isFree()) {
      throw new IllegalStateException("a notification was put back twice");
    }
    notification.clear();
    free.addLast(notification);
  }
}
