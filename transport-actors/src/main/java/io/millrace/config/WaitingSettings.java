package io.millrace.config;

/**
 * The bounds on waiting calls at a node.
 *
 * @param calls calls that may wait for a peer: for the peer's handshake, credit or window
 * @param submissions calls of this node that may wait for room in their worker's ring, or for the
 *     completion of an open future; 0 if no call may wait
 * @param pending how calls that wait for the executor slow down the grants to peers
 * @param requestBudgetBytes bytes of requests of all peers that are not answered yet
 */
public record WaitingSettings(
    int calls, int submissions, PendingSettings pending, long requestBudgetBytes) {
  static WaitingSettings from(Section limits) {
    return new WaitingSettings(
        limits.integer("waiting-calls", 1, 1 << 24),
        limits.integer("waiting-submissions", 0, 1 << 24),
        PendingSettings.from(limits),
        limits.longBytes("request-budget", 1 << 16, 1L << 40));
  }
}
