package io.millrace.path.packet;

import io.millrace.ends.PathCounters;
import io.millrace.protocol.transfer.FrameQueue;
import io.millrace.protocol.transfer.FrameSender;
import io.millrace.protocol.transfer.InlineCost;
import io.millrace.protocol.transfer.OutboundCall;
import io.millrace.protocol.transfer.OutboundFrame;
import io.millrace.protocol.transfer.SendCredit;
import org.jspecify.annotations.Nullable;

/**
 * The frames of one path waiting for a packet, the credit of the peer under which frames go, and
 * the frames kept until their arrival. Rules C-3 and C-7. On the worker's thread; does not allocate
 * in the steady state.
 */
public final class PathFrames implements FrameSender {
  /** A segment of fewer bytes is not worth its frame, unless the stream has no other way. */
  private static final int SEGMENT_BYTES = 1_024;

  private final PathContext path;
  private final PathCounters counters;
  private final PathSize datagrams;
  private final FrameQueue queue = new FrameQueue();

  /**
   * Frames too long for a datagram of the path's present size, until the size is settled or a place
   * for their pieces is free, and frames that would come too early. Smaller frames need not wait
   * behind these frames.
   */
  private final FrameQueue aside = new FrameQueue();

  private final SendCredit credit;
  private final RareFrames rare = new RareFrames();
  private Runnable onCredit = () -> {};
  private @Nullable Cutter cutter;

  /** Whether a frame waits for a larger size of datagrams. */
  private boolean isSizeWanted;

  /** Sends frames in pieces; rule T-8. */
  public interface Cutter {
    /** Whether {@link #cut} takes frames at all, now or later. */
    boolean hasNumbers();

    /** Whether {@link #cut} takes a frame now. */
    boolean hasRoom();

    /** Queues the pieces of a frame, which leaves the caller as a sent frame does. */
    void cut(OutboundFrame frame);
  }

  PathFrames(PathContext path, PathTerms terms, PathSize size) {
    this.path = path;
    datagrams = size;
    counters = path.worker().counters();
    credit = new SendCredit(terms.sendLimitBytes(), terms.remoteCreditNs());
  }

  /** Adds a listener for more credit of the peer. */
  public void onCredit(Runnable listener) {
    Runnable before = onCredit;
    onCredit =
        () -> {
          before.run();
          listener.run();
        };
  }

  /** Frames that must keep their form go in pieces where they are too long for the path. */
  public void cutter(Cutter with) {
    cutter = with;
  }

  /** Returns the owner, in loss recovery, of the frames kept until arrival. */
  ItemOwner rareItems() {
    return rare.items(this);
  }

  /** The number of bytes of all frames waiting. */
  long queuedBytes() {
    return queue.bytes() + aside.bytes();
  }

  /** The number of frames waiting and not set aside. */
  public int size() {
    return queue.size();
  }

  @Override
  public void queue(OutboundFrame frame) {
    if (frame.staysInOrder()) {
      queue.addInOrder(frame);
    } else {
      queue.add(frame);
    }
    path.activate(frame.priority());
  }

  @Override
  public void queueFirst(OutboundFrame frame) {
    queue.addFirst(frame);
    path.activate(frame.priority());
  }

  @Override
  public void queueBehind(OutboundFrame before, OutboundFrame frame) {
    queue.addBehind(before, frame);
    path.activate(frame.priority());
  }

  /** Keeps, until arrival, a frame sent at once without waiting here. */
  void keep(RareFrame frame) {
    rare.add(frame);
  }

  /** Sends a frame, and keeps the frame until arrival. */
  public void sendRare(RareFrame frame) {
    if (rare.areTooMany()) {
      path.onFault(
          new IllegalStateException("the peer does not acknowledge the frames of this side"));
      return;
    }
    rare.add(frame);
    queueFirst(frame);
  }

  /** Whether the frame waits to go, and was not set aside. */
  public boolean isWaiting(OutboundFrame frame) {
    return frame.isQueuedIn(queue);
  }

  /** Takes out a frame waiting to go. */
  public void remove(OutboundFrame frame) {
    queue.remove(frame);
  }

  /**
   * Whether the frame has credit, or will have credit in time; otherwise the message goes as a
   * body; rule C-7.
   */
  public boolean isWorthWaiting(OutboundFrame frame) {
    return credit.isWorthWaiting(frame.costBytes(), queue.owedBytes());
  }

  /** Whether the peer counts answers against the bytes allowed to this side; rule C-8. */
  public boolean answersCost() {
    return credit.isBounded();
  }

  /**
   * Whether a packet of this size may go without any content for the peer: the peer's credit allows
   * it, or a frame waits for the size, perhaps with all credit. Rule M-5.
   */
  boolean mayProbe(int packetBytes) {
    return isSizeWanted || credit.isWorthWaiting(packetBytes, queue.owedBytes());
  }

  /** The longest content that a segment of a stream can have under the present credit. */
  public int mostSegmentBytes() {
    long most = credit.mostBytes(queue.owedBytes()) - InlineCost.of(0, 0);
    return (int) Math.min(most, Short.MAX_VALUE * 2);
  }

  /** Whether a further segment of a stream would only wait for credit. */
  public boolean isShortOfCredit() {
    return queue.owedBytes() > 0 && !credit.isWorthWaiting(SEGMENT_BYTES, queue.owedBytes());
  }

  /** The turn begins: credit granted long ago is not used any more. */
  void onTime(long nowNs) {
    credit.onTime(queue.owedBytes(), nowNs);
  }

  /** A packet of this number brought the peer's limit. */
  void onLimit(long limitBytes, long packetNumber) {
    credit.onLimit(limitBytes, packetNumber, path.nowNs());
    onCredit.run();
  }

  /** Bit n is set when a frame of level n waits for a packet. */
  int waitingLevels() {
    return queue.nonEmptyLevels();
  }

  /** Bit n is set when a waiting frame of level n has credit. */
  int sendableLevels() {
    return queue.sendableLevels(credit);
  }

  /**
   * Returns the next frame to send of this level, or null. Frames without credit keep their places
   * and are passed over; unwanted frames leave the queue. A frame too early, or too long for the
   * path, is set aside.
   */
  @Nullable OutboundFrame next(int level) {
    OutboundFrame frame = peek(level);
    while (frame != null) {
      if (frame.isObsolete()) {
        queue.remove(frame);
        frame.onObsolete();
      } else if (frame.isEarly()) {
        queue.remove(frame);
        setAside(frame);
      } else if (!canCarry(frame)) {
        cutOrSetAside(frame);
      } else {
        return frame;
      }
      frame = peek(level);
    }
    return null;
  }

  /** Returns the frame to be looked at in {@link #next}, or null. */
  @Nullable OutboundFrame peek(int level) {
    return queue.peek(level, credit);
  }

  /**
   * Takes the frame shown by {@link #next}, and the credit for the frame: the frame is sent now.
   */
  void take(OutboundFrame frame) {
    queue.remove(frame);
    if (frame.isCharged()) {
      counters.framesRetransmitted++;
      counters.data().frameRetried(path.pathId(), frame.encodedLength());
      return;
    }
    credit.onSent(frame.costBytes());
    frame.setCharged(true);
    if (frame instanceof OutboundCall call) {
      counters.requestsSent++;
      counters.data().transferSent(path.pathId(), call.transferId());
    }
    frame.onFirstSent();
  }

  /** The frame is longer than the path's datagrams now. */
  private void cutOrSetAside(OutboundFrame frame) {
    Cutter present = cutter;
    if (present != null && canCut(frame)) {
      take(frame);
      present.cut(frame);
    } else {
      isSizeWanted |= !datagrams.isSettled();
      queue.remove(frame);
      setAside(frame);
    }
  }

  private boolean canCut(OutboundFrame frame) {
    Cutter present = cutter;
    return present != null && datagrams.isSettled() && frame.mayGoInPieces() && present.hasRoom();
  }

  /** Whether the frame goes in pieces, now or later. */
  private boolean awaitsPieces(OutboundFrame frame) {
    return cutter != null && cutter.hasNumbers() && frame.keepsForm();
  }

  private boolean canCarry(OutboundFrame frame) {
    return datagrams.canCarry(frame.encodedLength());
  }

  private void setAside(OutboundFrame frame) {
    frame.onAside();
    aside.add(frame);
    path.touch();
  }

  /**
   * Sends the frames set aside that fit now, or may go in pieces; once the path's size is final,
   * rejects frames that can do neither.
   */
  void settle() {
    isSizeWanted = false;
    for (int level = 0; !aside.isEmpty() && level < FrameQueue.LEVELS; level++) {
      OutboundFrame firstKept = null;
      OutboundFrame head = aside.peek(level);
      while (head != null && head != firstKept) {
        if (!settle(aside.poll(level))) {
          aside.add(head);
          firstKept = firstKept == null ? head : firstKept;
        }
        head = aside.peek(level);
      }
    }
  }

  private boolean settle(OutboundFrame frame) {
    if (frame.isObsolete()) {
      frame.onObsolete();
    } else if (frame.isEarly()) {
      return false;
    } else if (canCarry(frame) || canCut(frame)) {
      // A frame already paid for must not wait behind frames without credit: its arrival alone
      // brings their credit back.
      if (frame.isCharged()) {
        frame.sendAgain(this);
      } else {
        queue(frame);
      }
    } else if (datagrams.isSettled() && !awaitsPieces(frame)) {
      frame.onUnsendable();
    } else {
      isSizeWanted |= !datagrams.isSettled();
      return false;
    }
    return true;
  }
}
