package io.millrace.actor.peer;

import io.millrace.protocol.transfer.FrameQueue;
import io.millrace.protocol.transfer.OutboundFrame;

/**
 * The frames of one path that no datagram of its present size carries. They stand aside until the
 * path's size is settled, so that smaller frames need not wait with them. On the worker's thread;
 * does not allocate.
 */
final class OversizedFrames {
  private final FrameQueue frames = new FrameQueue();

  void add(OutboundFrame frame) {
    frames.add(frame);
  }

  boolean isEmpty() {
    return frames.isEmpty();
  }

  /** Queues again what fits now, drops what nobody wants, rejects the rest if that is final. */
  void settle(PathTransfers transfers, boolean isFinal) {
    for (int level = 0; level < FrameQueue.LEVELS; level++) {
      OutboundFrame firstKept = null;
      OutboundFrame head = frames.peek(level);
      while (head != null && head != firstKept) {
        if (!settle(frames.poll(level), transfers, isFinal)) {
          frames.add(head);
          firstKept = firstKept == null ? head : firstKept;
        }
        head = frames.peek(level);
      }
    }
  }

  private boolean settle(OutboundFrame frame, PathTransfers transfers, boolean isFinal) {
    if (frame.isObsolete()) {
      transfers.onObsolete(frame);
    } else if (transfers.streams().waitsForOpening(frame)) {
      return false;
    } else if (transfers.canCarry(frame)) {
      // What was paid for must not wait behind what waits for credit that only it brings back.
      if (frame.isCharged()) {
        transfers.sendAgain(frame);
      } else {
        transfers.queue(frame);
      }
    } else if (isFinal) {
      transfers.reject(frame);
    } else {
      return false;
    }
    return true;
  }
}
