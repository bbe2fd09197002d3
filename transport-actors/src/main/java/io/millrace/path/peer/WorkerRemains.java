package io.millrace.path.peer;

import io.millrace.path.call.PathCalls;

/**
 * What one worker that is being drained still has to bring to an end. Taken on its thread;
 * allocates.
 *
 * @param served transfers of peers that are executed, or whose answer is kept
 * @param undecidedPeers paths whose peer has not said that it has nothing open here
 * @param calls transfers of this node that have no outcome
 */
public record WorkerRemains(long served, int undecidedPeers, long calls) {
  /** Nothing. */
  public static final WorkerRemains NONE = new WorkerRemains(0, 0, 0);

  /**
   * What is left at this moment.
   *
   * @param waitingCalls calls of this node that no path has taken
   */
  public static WorkerRemains of(WorkerServices services, long waitingCalls) {
    long served = 0;
    int undecided = 0;
    long calls = waitingCalls;
    for (PeerPath path : services.paths().snapshot()) {
      PathCalls transfers = path.calls();
      served += Math.max(transfers.served().openCount(), transfers.bodies().servedCount());
      undecided += path.departure().isPeerUndecided() ? 1 : 0;
      calls += transfers.calls().openCount();
    }
    return new WorkerRemains(served, undecided, calls);
  }

  /** What both have left. */
  public WorkerRemains plus(WorkerRemains other) {
    return new WorkerRemains(
        served + other.served, undecidedPeers + other.undecidedPeers, calls + other.calls);
  }

  /** Whether no peer has anything open here. */
  public boolean isInboundOver() {
    return served == 0 && undecidedPeers == 0;
  }
}
