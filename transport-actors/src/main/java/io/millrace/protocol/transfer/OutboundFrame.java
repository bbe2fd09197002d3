package io.millrace.protocol.transfer;

import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A frame that waits to be put into a packet: a request or a response. Queued intrusively in a
 * {@link FrameQueue}; owned by the worker of the frame's path from the moment of queueing. Does not
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
  private static final int GRANTED = 8;

  @Nullable OutboundFrame next;
  @Nullable OutboundFrame previous;
  @Nullable FrameQueue queue;

  /** The frame's place among all frames of its queue and level; counted by the queue. */
  long place;

  // A single byte of each frame, because frames are many.
  private byte flags;

  /** 0 (first) to 7. */
  public abstract int priority();

  /** Bytes of the frame, including the frame's header. */
  public abstract int encodedLength();

  /** The inline credit of the peer that the first sending takes. */
  public abstract int costBytes();

  /** Bytes of headers and payload. */
  public abstract int contentLength();

  /** Writes the frame at {@code offset}; exactly {@link #encodedLength()} bytes. */
  public abstract void encode(MutableDirectBuffer buffer, int offset);

  /** The frame's record in loss recovery: {@link TransferItem}. */
  public abstract long item();

  /**
   * Whether the frame need not be sent any more: the frame was answered or acknowledged while
   * waiting for its retransmission. Such a frame leaves its queue unsent.
   */
  public abstract boolean isObsolete();

  /** Whether the peer, which waits for this frame, asks again if the frame is lost; rule R-8. */
  public boolean isAwaited() {
    return false;
  }

  /** Whether the frame stays behind earlier queued frames, even frames that wait for credit. */
  public boolean staysInOrder() {
    return false;
  }

  /** Whether the receiver would count the frame as not received if the frame came now. */
  public boolean isEarly() {
    return false;
  }

  /** Whether the content goes in no other form, as a body for example: the peer may have it. */
  public boolean keepsForm() {
    return false;
  }

  /**
   * Whether the frame may go in pieces now; rule T-13. False while the receiver would count the
   * frame as not received: refused pieces would keep the few numbers.
   */
  public boolean mayGoInPieces() {
    return keepsForm();
  }

  /** The frame is sent for the first time: encoding is next. */
  public void onFirstSent() {}

  /** The frame left its queue because the frame may not go yet: the frame stands aside. */
  public void onAside() {}

  /** The obsolete frame left its queue unsent. */
  public void onObsolete() {}

  /** The frame left its queue unsent because the path carries no frame of this length any more. */
  public void onUnsendable() {}

  /** A packet with this still wanted frame was lost: queues the frame again at its proper place. */
  public void sendAgain(FrameSender sender) {
    sender.queueFirst(this);
  }

  /** The frame is a new frame, which nobody has sent; not while the frame is queued. */
  final void renewFrame() {
    if (queue != null) {
      throw new IllegalStateException("the frame is queued");
    }
    flags = 0;
  }

  /** Whether the frame waits in a queue. */
  public final boolean isQueued() {
    return queue != null;
  }

  /** Whether the frame waits in this queue. */
  public final boolean isQueuedIn(FrameQueue other) {
    return queue == other;
  }

  /** Whether the inline credit of the frame was taken; a retransmission takes no credit. */
  public final boolean isCharged() {
    return (flags & CHARGED) != 0;
  }

  /** Notes whether the inline credit of the frame was taken. */
  public final void setCharged(boolean charged) {
    flags = (byte) (charged ? flags | CHARGED : flags & ~CHARGED);
  }

  /**
   * Whether the peer counts the frame against its allowance; for frames that would otherwise cost
   * nothing.
   */
  final boolean isCosting() {
    return (flags & COSTING) != 0;
  }

  final void costing(boolean costing) {
    flags = (byte) (costing ? flags | COSTING : flags & ~COSTING);
  }

  /** Whether the frame goes by a grant of its own, in place of credit; rule C-10. */
  final boolean isGranted() {
    return (flags & GRANTED) != 0;
  }

  final void granted(boolean granted) {
    flags = (byte) (granted ? flags | GRANTED : flags & ~GRANTED);
  }

  /** Whether the frame stands among the paying frames. */
  final boolean isPaying() {
    return (flags & PAYING) != 0;
  }

  final void setPaying(boolean paying) {
    flags = (byte) (paying ? flags | PAYING : flags & ~PAYING);
  }
}
