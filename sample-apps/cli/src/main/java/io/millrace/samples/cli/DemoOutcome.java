package io.millrace.samples.cli;

import io.millrace.api.TransportSnapshot;
import io.millrace.samples.cli.AnswerCheck.Verified;

/**
 * The results of the demo, all of them verified.
 *
 * @param file the file sent
 * @param serverPid the process id of the second process
 * @param handshakeNs from the first packet to a path
 * @param flow the pass through the flow, to the handler on the executor
 * @param futures the pass through futures, to the handler on the worker
 * @param bulk the file's way to the other process' disk and back
 * @param streams the file's records by the streaming patterns
 * @param amongNodes the results among more than two nodes
 * @param client counters of this process
 * @param server counters of the second process, JSON
 */
record DemoOutcome(
    RecordFile file,
    long serverPid,
    long handshakeNs,
    Verified flow,
    Verified futures,
    CopiedFile bulk,
    StreamedFile streams,
    AmongNodes amongNodes,
    TransportSnapshot client,
    String server) {

  /**
   * The results among more than two nodes.
   *
   * @param broadcast the file's way to several nodes at once
   * @param chain dependent calls over several nodes
   */
  record AmongNodes(BroadcastFile broadcast, DemoChain.DependentCalls chain) {}

  BroadcastFile broadcast() {
    return amongNodes.broadcast();
  }

  DemoChain.DependentCalls chain() {
    return amongNodes.chain();
  }
}
