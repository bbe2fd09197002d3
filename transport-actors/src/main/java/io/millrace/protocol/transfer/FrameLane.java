package io.millrace.protocol.transfer;

import org.jspecify.annotations.Nullable;

/**
 * Frames of a level that wait in an order, doubly linked through themselves so that any frame
 * leaves without a walk. Owned by a {@link FrameQueue}. No clock; does not allocate.
 */
final class FrameLane {
  private @Nullable OutboundFrame head;
  private @Nullable OutboundFrame tail;

  /** The frame in front, or null. */
  @Nullable OutboundFrame head() {
    return head;
  }

  void addLast(OutboundFrame frame) {
    OutboundFrame last = tail;
    frame.previous = last;
    frame.next = null;
    if (last == null) {
      head = frame;
    } else {
      last.next = frame;
    }
    tail = frame;
  }

  void addFirst(OutboundFrame frame) {
    OutboundFrame first = head;
    frame.previous = null;
    frame.next = first;
    if (first == null) {
      tail = frame;
    } else {
      first.previous = frame;
    }
    head = frame;
  }

  void addBehind(OutboundFrame before, OutboundFrame frame) {
    OutboundFrame after = before.next;
    if (after == null) {
      addLast(frame);
      return;
    }
    frame.previous = before;
    frame.next = after;
    before.next = frame;
    after.previous = frame;
  }

  /** Takes out a frame of this lane. */
  void remove(OutboundFrame frame) {
    OutboundFrame before = frame.previous;
    OutboundFrame after = frame.next;
    if (before == null) {
      head = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      tail = before;
    } else {
      after.previous = before;
    }
    frame.previous = null;
    frame.next = null;
  }
}
