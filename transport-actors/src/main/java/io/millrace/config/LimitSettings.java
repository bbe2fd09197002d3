package io.millrace.config;

import org.jspecify.annotations.Nullable;

/**
 * The bounds of the state that a node keeps for peers and for its application.
 *
 * @param peers the number of peers that have a path to this node, or that the application holds, at
 *     once
 * @param concurrentTransfers transfers that a peer may have open here at once
 * @param inlineBudgetBytes inline bytes that all peers together may have outstanding at this node
 * @param inlineCreditBytes most inline bytes that a peer may have outstanding at this node
 * @param answerBudgetBytes bytes of answers that may wait at this node for all callers together
 * @param executorQueue calls of peers that may wait for the application's executor, and as many
 *     calls of this node whose futures are open
 * @param headersBytes most bytes of headers of a request or a response, sent or taken
 * @param deviceThreads bodies of this node that may wait for devices at once
 * @param waiting how much may wait at this node
 * @param process the node's services for its process
 */
public record LimitSettings(
    int peers,
    int concurrentTransfers,
    long inlineBudgetBytes,
    long inlineCreditBytes,
    long answerBudgetBytes,
    int executorQueue,
    int headersBytes,
    int deviceThreads,
    WaitingSettings waiting,
    ProcessSettings process) {
  static LimitSettings from(Section section, Section events, Section retry) {
    return new LimitSettings(
        section.integer("peers", 1, 1 << 20),
        section.integer("concurrent-transfers", 1, 1 << 24),
        section.longBytes("inline-budget", 1 << 16, 1L << 40),
        section.longBytes("inline-credit", 1 << 14, 1L << 40),
        section.longBytes("answer-budget", 1 << 16, 1L << 40),
        section.integer("executor-queue", 2, 1 << 24),
        section.bytes("headers", 0, 16 << 10),
        section.integer("device-threads", 1, 1 << 10),
        WaitingSettings.from(section, retry),
        ProcessSettings.from(section, events));
  }

  /** The reason why headers of this length are not sent, or null for an allowed length. */
  public @Nullable String headersProblem(int length) {
    return length > headersBytes
        ? length + " bytes of headers are more than millrace.limits.headers = " + headersBytes
        : null;
  }
}
