package io.millrace.path.write;

import io.millrace.crypto.DataKey;
import io.millrace.ends.PathCounters;
import io.millrace.path.packet.PathFrames;
import io.millrace.path.packet.PathPackets;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells the peer of fills that were written, several that follow each other in one body in one
 * notification. Worker's thread only; does not allocate in the steady state.
 */
final class FillNotifications {
  /** The peer opens records while others are under way: it does not wait for more than these. */
  private static final int MOST_HELD_BYTES = 512 << 10;

  private final PathFrames frames;
  private final PathPackets path;
  private final PathCounters counters;
  private final Notifications notifications;
  private final boolean isPlaced;
  // By their position in their body, whatever the body.
  private final List<WriteFill> written = new ArrayList<>();
  private final List<Notification> made = new ArrayList<>();

  /**
   * Over the notifications of one path.
   *
   * @param isPlaced whether the bytes of the fills are in the peer's memory when it is told
   */
  FillNotifications(PathPackets path, Notifications notifications, boolean isPlaced) {
    this.notifications = notifications;
    this.isPlaced = isPlaced;
    frames = path.frames();
    this.path = path;
    counters = path.worker().counters();
  }

  /** All bytes of the fill were written; those of a later one may have been before. */
  void add(WriteFill fill) {
    fill.onWritten();
    int index = written.size();
    while (index > 0 && written.get(index - 1).position() > fill.position()) {
      index--;
    }
    written.add(index, fill);
  }

  /** Whether the peer was not told of all. */
  boolean hasWritten() {
    return !written.isEmpty();
  }

  /** Whether the peer should be told before more is written. */
  boolean isEnough() {
    long bytes = 0;
    for (int i = 0; i < written.size(); i++) {
      bytes += written.get(i).lengthBytes();
    }
    return bytes >= MOST_HELD_BYTES || written.size() >= NotifiedFills.MOST;
  }

  /** Queues notifications of the fills that were added, in the order of their bodies. */
  void queue() {
    for (int i = 0; i < written.size(); i++) {
      WriteFill fill = written.get(i);
      if (!isAdded(fill)) {
        Notification notification = notifications.take();
        notification.start(fill);
        noteKey(fill);
        if (isPlaced) {
          notification.placed();
        }
        made.add(notification);
        counters.data().writeNotified(path.pathId(), fill.token().region(), fill.lengthBytes());
      }
    }
    written.clear();
    // Each goes ahead of those queued before it.
    for (int i = made.size() - 1; i >= 0; i--) {
      counters.notificationsSent++;
      frames.queueFirst(made.get(i));
    }
    made.clear();
  }

  /** From now on the peer has the key, and keeps it until it is retired. */
  private void noteKey(WriteFill fill) {
    DataKey key = fill.sealed().key();
    if (key != null) {
      path.retirements().onDataKeyUsed(key, fill.sealed().buffer().binding().dataKey());
    }
  }

  private boolean isAdded(WriteFill fill) {
    for (int i = made.size() - 1; i >= 0; i--) {
      if (made.get(i).canAdd(fill)) {
        made.get(i).add(fill);
        return true;
      }
    }
    return false;
  }

  /** The fill is not told of. */
  void forget(WriteFill fill) {
    written.remove(fill);
  }

  /** Nothing is told any more. */
  void clear() {
    written.clear();
  }
}
