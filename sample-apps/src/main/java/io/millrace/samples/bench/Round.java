package io.millrace.samples.bench;

import io.millrace.samples.bench.peer.RoundResult;

/**
 * One turn of one peer.
 *
 * @param result what its client measured
 * @param client what the client spent
 * @param server what the server spent
 */
public record Round(RoundResult result, Usage client, Usage server) {
  private static final double DISTURBED_SHARE = 0.05;

  /** The busier side's share of a core for compilers and collector. */
  public double jvmShare() {
    return Math.max(client.jvmShare(), server.jvmShare());
  }

  /** Whether a side had to wait for its core for more than 5 % of the time. */
  public boolean isDisturbed() {
    return Math.max(client.waitedShare(), server.waitedShare()) > DISTURBED_SHARE;
  }
}
