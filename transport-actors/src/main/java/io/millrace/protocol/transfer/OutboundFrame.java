package io.millrace.protocol.transfer;

import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A frame that waits to be put into a packet: a request or a response. Queued intrusively in one
 * {@link FrameQueue}; owned by the worker of its path from the moment it is queued. Does not
 * allocate.
 */
public abstract class OutboundFrame {
  /** Kind bits of {@link #item()} for a request. */
  public static final int KIND_REQUEST = 1;

  /** Kind bits of {@link #item()} for a response. */
  public static final int KIND_RESPONSE = 2;

  private static final int CHARGED = 1;
  private static final int PAYING = 2;
  private static final int COSTING = 4;

  @Nullable OutboundFrame next;
  @Nullable OutboundFrame previous;
  @Nullable FrameQueue queue;

  /** Its place among all frames of its queue and level; counted by the queue. */
  long place;

  // One byte of each frame, of which there are many.
  private byte flags;

  /** 0 (first) to 7. */
  public abstract int priority();

  /** Bytes of the frame, its header included. */
  public abstract int encodedLength();

  /** What sending it the first time takes of the peer's inline credit. */
  public abstract int costBytes();

  /** Bytes of headers and payload. */
  public abstract int contentLength();

  /** Writes the frame at {@code offset}; exactly {@link #encodedLength()} bytes. */
  public abstract void encode(MutableDirectBuffer buffer, int offset);

  /** What loss recovery remembers of the frame: {@link TransferItem}. */
  public abstract long item();

  /**
   * Whether there is no more reason to send it: it was answered or acknowledged while it waited to
   * be sent again. Such a frame leaves its queue unsent.
   */
  public abstract boolean isObsolete();

  /** Whether it stays behind what was queued before it, even if that waits for credit. */
  public boolean staysInOrder() {
    return false;
  }

  /** Whether its receiver would count it as not received if it came now. */
  public boolean isEarly() {
    return false;
  }

  /** It is sent for the first time: it is encoded next. */
  public void onFirstSent() {}

  /** It left its queue because it may not go yet: it stands aside. */
  public void onAside() {}

  /** It left its queue unsent because it is obsolete. */
  public void onObsolete() {}

  /** It left its queue unsent because the path carries no frame as long as this one any more. */
  public void onUnsendable() {}

  /** A packet with it was lost and it is wanted still: queues it again where it belongs. */
  public void sendAgain(FrameSender sender) {
    sender.queueFirst(this);
  }

  /** Whether the frame waits in a queue. */
  public final boolean isQueued() {
    return queue != null;
  }

  /** Whether the frame waits in this queue. */
  public final boolean isQueuedIn(FrameQueue other) {
    return queue == other;
  }

  /** Whether its inline credit was taken; a retransmission takes none. */
  public final boolean isCharged() {
    return (flags & CHARGED) != 0;
  }

  /** Notes whether its inline credit was taken. */
  public final void setCharged(boolean charged) {
    flags = (byte) (charged ? flags | CHARGED : flags & ~CHARGED);
  }

  /** Whether the peer counts it as what it allowed to be sent; for what else would cost nothing. */
  final boolean isCosting() {
    return (flags & COSTING) != 0;
  }

  final void costing(boolean costing) {
    flags = (byte) (costing ? flags | COSTING : flags & ~COSTING);
  }

  /** Whether it stands among those that pay. */
  final boolean isPaying() {
    return (flags & PAYING) != 0;
  }

  final void setPaying(boolean paying) {
    flags = (byte) (paying ? flags | PAYING : flags & ~PAYING);
  }
}
