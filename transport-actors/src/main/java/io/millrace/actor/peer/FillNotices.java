package io.millrace.actor.peer;

import io.millrace.actor.body.SealedPart;
import java.util.ArrayDeque;

/**
 * Tells the peer of fills that were written, several of one part in one notification. Worker's
 * thread only; does not allocate in the steady state.
 */
final class FillNotices {
  private final PeerPath path;
  private final WriteNotices notices;
  private final boolean isPlaced;
  private final ArrayDeque<WriteFill> written = new ArrayDeque<>();

  /**
   * Over the notifications of {@code writes}.
   *
   * @param isPlaced whether the bytes of the fills are in the peer's memory when it is told
   */
  FillNotices(PeerPath path, PathWrites writes, boolean isPlaced) {
    this.path = path;
    this.isPlaced = isPlaced;
    notices = writes.notices();
  }

  /** All bytes of the fill were written. */
  void add(WriteFill fill) {
    written.addLast(fill);
  }

  /** Queues notifications of the fills that were added. */
  void queue() {
    WriteFill fill;
    while ((fill = written.pollFirst()) != null) {
      queue(fill);
    }
  }

  private void queue(WriteFill fill) {
    WriteNotice notice = notices.take();
    SealedPart part = fill.part();
    notice.start(fill.body().terms(), part, fill.partOffset());
    int end = fill.partOffset() + fill.lengthBytes();
    notice.add(fill.token(), fill.lengthBytes());
    WriteFill next = written.peekFirst();
    while (next != null && next.follows(part, end) && !notice.isFull()) {
      written.pollFirst();
      notice.add(next.token(), next.lengthBytes());
      end += next.lengthBytes();
      next = written.peekFirst();
    }
    if (part.isLast() && end == part.lengthBytes()) {
      notice.end();
    }
    if (isPlaced) {
      notice.placed();
    }
    path.services().counters().notificationsSent++;
    path.transfers().queueAgain(notice);
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
