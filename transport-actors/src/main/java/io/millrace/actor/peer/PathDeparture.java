package io.millrace.actor.peer;

import io.millrace.protocol.transfer.CallOutcome;

/**
 * Which side of one path is about to go, and what the sides have told each other of that; rule
 * T-11. Nothing is ever taken back. On the worker's thread; allocates only for what it tells.
 */
final class PathDeparture {
  private static final String LEAVING = "the peer is about to shut down, and takes no more";

  private final PeerPath path;
  private boolean isLeaving;
  private boolean isPeerLeaving;
  private boolean isSettled;
  private boolean isPeerSettled;

  PathDeparture(PeerPath path) {
    this.path = path;
  }

  /** The path is there. */
  void onOpened() {
    if (path.services().isDraining()) {
      leave();
    }
  }

  /** This node takes no more transfers: tells the peer. */
  void leave() {
    if (!isLeaving && !path.isOver()) {
      isLeaving = true;
      path.sendRare(new DrainFrame(DrainFrame.LEAVING));
    }
  }

  /** The peer told of its side. */
  void onDrain(int flags) {
    isPeerSettled |= (flags & DrainFrame.SETTLED) != 0;
    if ((flags & DrainFrame.LEAVING) != 0 && !isPeerLeaving) {
      isPeerLeaving = true;
      // Calls that wait for room are refused now.
      path.onCallEnded();
      WorkerServices services = path.services();
      services.events().onPeerDraining(services.worker(), path.peer());
    }
  }

  /** Refuses a call to a peer that takes no more. */
  boolean refuses(PeerCall call) {
    if (isPeerLeaving) {
      path.services().counters().callsFailed++;
      call.refuse(CallOutcome.SHUTTING_DOWN, LEAVING);
    }
    return isPeerLeaving;
  }

  /** The path was looked at for the last time in this turn. */
  void endTurn() {
    if (isPeerLeaving && !isSettled && path.transfers().calls().openCount() == 0) {
      isSettled = true;
      path.sendRare(new DrainFrame(DrainFrame.SETTLED));
    }
  }

  /**
   * Whether the peer may be silent for long: nobody waits for anything, and it is not about to go.
   * Of one that is the last word may get lost, and its successor is to be found.
   */
  boolean isRestful() {
    return !isPeerLeaving && path.transfers().isIdle();
  }

  /** Whether the peer may have a transfer open here that it was not told the end of. */
  boolean isPeerUndecided() {
    return !isPeerSettled;
  }
}
