package io.millrace.config;

/**
 * How much may wait at a node.
 *
 * @param calls calls that may wait for one peer: for its handshake, its credit, its window
 * @param submissions calls of this node that may wait for room in their worker's ring, or for one
 *     of the open futures to complete; 0 if none waits
 * @param pending how calls that wait for the executor slow down what peers are granted
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
