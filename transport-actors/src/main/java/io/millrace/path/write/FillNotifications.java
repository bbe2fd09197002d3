package io.millrace.path.write;

import io.millrace.crypto.DataKey;
import io.millrace.ends.PathCounters;
import io.millrace.path.packet.PathFrames;
import io.millrace.path.packet.PathPackets;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells the peer of written fills: a notification names several consecutive fills of a body.
 * Worker's thread only; does not allocate in the steady state.
 */
final class FillNotifications {
  /**
   * The peer opens records while other records are under way: the peer need not wait for more bytes
   * than these.
   */
  private static final int MOST_HELD_BYTES = 512 << 10;

  private final PathFrames frames;
  private final PathPackets path;
  private final PathCounters counters;
  private final Notifications notifications;
  private final boolean isPlaced;
  // In the order of their positions in their bodies, for all bodies together.
  private final List<WriteFill> written = new ArrayList<>();
  private final List<Notification> made = new ArrayList<>();

  /**
   * The fill notifications over the notifications of one path.
   *
   * @param isPlaced whether the bytes of the fills are in the peer's memory before the peer is told
   */
  FillNotifications(PathPackets path, Notifications notifications, boolean isPlaced) {
    this.notifications = notifications;
    this.isPlaced = isPlaced;
    frames = path.frames();
    this.path = path;
    counters = path.worker().counters();
  }

  /** All bytes of the fill were written; the bytes of a later fill may have been written before. */
  void add(WriteFill fill) {
    fill.onWritten();
    int index = written.size();
    while (index > 0 && written.get(index - 1).position() > fill.position()) {
      index--;
    }
    written.add(index, fill);
  }

  /** Whether the peer has yet to be told of a written fill. */
  boolean hasWritten() {
    return !written.isEmpty();
  }

  /** Whether the peer should be told before more bytes are written. */
  boolean isEnough() {
    long bytes = 0;
    for (int i = 0; i < written.size(); i++) {
      bytes += written.get(i).lengthBytes();
    }
    return bytes >= MOST_HELD_BYTES || written.size() >= NotifiedFills.MOST;
  }

  /** Queues notifications of the added fills, in the order of their bodies. */
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
    // Each frame goes ahead of the frames queued before.
    for (int i = made.size() - 1; i >= 0; i--) {
      counters.notificationsSent++;
      frames.queueFirst(made.get(i));
    }
    made.clear();
  }

  /** From now on the peer has the key, and keeps the key until its retirement. */
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

  /** The peer is not told of the fill. */
  void forget(WriteFill fill) {
    written.remove(fill);
  }

  /** The peer is told nothing any more. */
  void clear() {
    written.clear();
  }
}
