package io.millrace.samples.bench.reference;

import java.util.Arrays;

/**
 * The result of a simulated incast. Times are virtual.
 *
 * @param incast the incast
 * @param endsNs the time of each completion at its sender since the begin of the incast, ascending
 * @param besideNs the same of the flow to another node, or 0
 * @param smallNs latencies of small calls meanwhile, ascending
 * @param retransmitted packets of payload sent again, by bytes, and frames sent again
 * @param spurious packets declared lost although the receiver had them
 * @param link the datagrams on the receiver's link
 * @param processorNs processor time of the simulation, ns
 */
record ReferenceRow(
    ReferenceCase incast,
    long[] endsNs,
    long besideNs,
    long[] smallNs,
    double retransmitted,
    long spurious,
    LinkTap link,
    long processorNs) {

  /** Time of the last completion, ns. */
  long lastNs() {
    return endsNs[endsNs.length - 1];
  }

  /** Time until everything is complete, the flow to another node included, ns. */
  long allNs() {
    return Math.max(besideNs, lastNs());
  }

  /** Payload carried, as a share of the payload that the link can carry. */
  double use() {
    return incast.idealNs() / lastNs();
  }

  double retransmissionsPerNew() {
    return retransmitted / Math.max(1, link.sent - retransmitted);
  }

  /** Time of the last completion by the time of the first. */
  double spread() {
    return (double) lastNs() / endsNs[0];
  }

  double meanNs() {
    return Arrays.stream(endsNs).average().orElse(0);
  }

  /** The 99th percentile of completions by the ideal time of the whole incast. */
  double p99OverIdeal() {
    return percentile(endsNs, 0.99) / incast.idealNs();
  }

  double smallNs(double share) {
    return percentile(smallNs, share);
  }

  double packetsPerTransfer() {
    return (double) link.sent / endsNs.length;
  }

  /** Time of datagrams beyond the payload's full packets, as a share of the whole. */
  double extra() {
    return (link.busyNs() - incast.idealNs()) / lastNs();
  }

  /** Time of the idle link before the first full datagram, as a share of the whole. */
  double idleBefore() {
    return link.idleBeforeNs / lastNs();
  }

  /** Time of the idle link between full datagrams, as a share of the whole. */
  double idleBetween() {
    return link.idleBetweenNs / lastNs();
  }

  private static double percentile(long[] sorted, double share) {
    return sorted.length == 0 ? 0 : sorted[(int) Math.ceil(share * sorted.length) - 1];
  }
}
