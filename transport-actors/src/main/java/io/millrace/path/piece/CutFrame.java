package io.millrace.path.piece;

import io.millrace.memory.SegmentBuffer;
import io.millrace.protocol.transfer.OutboundFrame;

/** A copy of a frame on its way in pieces. The frame itself counts as sent. */
final class CutFrame {
  private final CutFrames owner;
  private final long number;
  private final int priority;
  private final long item;
  private final byte[] bytes;
  private final FramePiece[] pieces;

  /** Bit n is set until piece n has arrived. */
  private long missing;

  CutFrame(CutFrames owner, long number, OutboundFrame frame) {
    this.owner = owner;
    this.number = number;
    priority = frame.priority();
    item = frame.item();
    bytes = new byte[frame.encodedLength()];
    frame.encode(new SegmentBuffer(bytes), 0);
    pieces = new FramePiece[(bytes.length + FramePiece.BYTES - 1) / FramePiece.BYTES];
    for (int place = 0; place < pieces.length; place++) {
      pieces[place] = new FramePiece(this, place);
    }
    missing = -1L >>> (Long.SIZE - pieces.length);
  }

  /** The number of the frame among the cut frames of the path. */
  long number() {
    return number;
  }

  /** The number of the oldest frame still under way. */
  long oldest() {
    return owner.oldest();
  }

  int priority() {
    return priority;
  }

  /** The item of the frame itself. */
  long item() {
    return item;
  }

  byte[] bytes() {
    return bytes;
  }

  FramePiece[] pieces() {
    return pieces;
  }

  boolean hasArrived(int place) {
    return (missing & 1L << place) == 0;
  }

  /** A piece has arrived; returns whether all have. */
  boolean onArrived(int place) {
    missing &= ~(1L << place);
    return missing == 0;
  }
}
