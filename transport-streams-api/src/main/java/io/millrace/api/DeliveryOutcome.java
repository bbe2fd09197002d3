package io.millrace.api;

import io.millrace.transfer.CallOutcome;

/**
 * How the transfer of a broadcast to one peer ended.
 *
 * @param peer the peer
 * @param outcome {@code OK} when the peer has verified all bytes and completed its target
 * @param bytes payload bytes that the peer has verified; 0 unless {@code OK}
 * @param text what went wrong; empty if {@code OK}
 */
public record DeliveryOutcome(Peer peer, CallOutcome outcome, long bytes, String text) {
  /** Whether the peer has all bytes. */
  public boolean isDelivered() {
    return outcome == CallOutcome.OK;
  }
}
