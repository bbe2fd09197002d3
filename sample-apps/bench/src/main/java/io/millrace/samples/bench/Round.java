package io.millrace.samples.bench;

import io.millrace.samples.bench.peer.RoundResult;

/**
 * A turn of one peer.
 *
 * @param result the measurements of the client
 * @param client the resources that the client used
 * @param server the resources that the server used
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
