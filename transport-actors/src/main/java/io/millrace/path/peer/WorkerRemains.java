package io.millrace.path.peer;

import io.millrace.path.call.PathCalls;

/**
 * The transfers that a draining worker still has to end. Taken on the worker's thread; allocates.
 *
 * @param served transfers of peers under execution, or with a kept answer
 * @param undecidedPeers paths whose peer has not yet said that the peer has no open transfer here
 * @param calls transfers of this node without an outcome
 */
public record WorkerRemains(long served, int undecidedPeers, long calls) {
  /** Nothing is left. */
  public static final WorkerRemains NONE = new WorkerRemains(0, 0, 0);

  /**
   * Returns the transfers left at this moment.
   *
   * @param waitingCalls calls of this node not taken by a path
   */
  public static WorkerRemains of(WorkerServices services, long waitingCalls) {
    long served = 0;
    int undecided = 0;
    long calls = waitingCalls;
    for (PeerPath path : services.paths().snapshot()) {
      PathCalls transfers = path.calls();
      served += Math.max(transfers.served().openCount(), transfers.bodies().servedCount());
      undecided += path.drain().isPeerUndecided() ? 1 : 0;
      calls += transfers.calls().openCount();
    }
    return new WorkerRemains(served, undecided, calls);
  }

  /** Returns the sum of both. */
  public WorkerRemains plus(WorkerRemains other) {
    return new WorkerRemains(
        served + other.served, undecidedPeers + other.undecidedPeers, calls + other.calls);
  }

  /** Whether no peer has anything open here. */
  public boolean isInboundOver() {
    return served == 0 && undecidedPeers == 0;
  }
}
