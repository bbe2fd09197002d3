package io.millrace.path.peer;

import io.millrace.path.call.PathCalls;
import io.millrace.path.packet.PathPackets;
import io.millrace.path.packet.RareFrame;
import io.millrace.path.packet.WorkerContext;
import io.millrace.wire.FrameStart;
import io.millrace.wire.codec.DrainEncoder;
import org.agrona.MutableDirectBuffer;

/**
 * The departure of the sides of one path, and the announcements of a departure between the sides;
 * rule T-11. No announcement is ever taken back. On the worker's thread; allocates only for the
 * frames sent.
 */
final class PathDrain {
  private final PathPackets path;
  private final PathCalls calls;
  private boolean isLeaving;
  private boolean isPeerLeaving;
  private boolean isSettled;
  private boolean isPeerSettled;

  /** Tells the peer of a step to the end of a path; rule T-11. A rare frame. */
  private static final class DrainFrame extends RareFrame {
    /** The sender begins no more transfers of the receiver. */
    static final int LEAVING = 1;

    /** No transfer of the sender is open on the path, and none will be. */
    static final int SETTLED = 2;

    private final int flags;

    DrainFrame(int flags) {
      this.flags = flags;
    }

    @Override
    public int encodedLength() {
      return FrameStart.LENGTH + DrainEncoder.BLOCK_LENGTH;
    }

    @Override
    public void encode(MutableDirectBuffer buffer, int offset) {
      FrameStart.encode(
          buffer, offset, encodedLength(), DrainEncoder.BLOCK_LENGTH, DrainEncoder.TEMPLATE_ID);
      new DrainEncoder().wrap(buffer, offset + FrameStart.LENGTH).flags((short) flags);
    }

    @Override
    public boolean isObsolete() {
      return false;
    }
  }

  PathDrain(PathPackets path, PathCalls calls) {
    this.path = path;
    this.calls = calls;
  }

  /** The path is open. */
  void onOpened() {
    if (path.worker().isDraining()) {
      leave();
    }
  }

  /** This node takes no more transfers: tells the peer of the departure. */
  void leave() {
    if (!isLeaving && !path.isOver()) {
      isLeaving = true;
      path.frames().sendRare(new DrainFrame(DrainFrame.LEAVING));
    }
  }

  /** The peer told of the departure of the peer's side. */
  void onDrain(int flags) {
    isPeerSettled |= (flags & DrainFrame.SETTLED) != 0;
    if ((flags & DrainFrame.LEAVING) != 0 && !isPeerLeaving) {
      isPeerLeaving = true;
      // Calls waiting for room are refused now.
      calls.onRoom();
      WorkerContext worker = path.worker();
      worker.events().onPeerDraining(worker.worker(), path.peer());
    }
  }

  /** Whether the peer is about to go, and takes no more calls. */
  boolean isPeerLeaving() {
    return isPeerLeaving;
  }

  /** The path was looked at for the last time in this turn. */
  void endTurn() {
    if (isPeerLeaving && !isSettled && calls.calls().openCount() == 0) {
      isSettled = true;
      path.frames().sendRare(new DrainFrame(DrainFrame.SETTLED));
    }
  }

  /**
   * Whether the peer may be silent for long: nobody waits for the peer, and the peer is not about
   * to go. The last frame of a departing peer may get lost, and the peer's successor must be found.
   */
  boolean isRestful() {
    return !isPeerLeaving && calls.isIdle();
  }

  /** Whether the peer may have an open transfer here, with an end unknown to the peer. */
  boolean isPeerUndecided() {
    return !isPeerSettled;
  }
}
