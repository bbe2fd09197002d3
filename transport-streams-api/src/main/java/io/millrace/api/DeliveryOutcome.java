package io.millrace.api;

import io.millrace.transfer.CallOutcome;

/**
 * The end of a broadcast's transfer to one peer.
 *
 * @param peer the peer
 * @param outcome {@code OK} when the peer has verified all bytes and completed its target
 * @param bytes payload bytes that the peer has verified; 0 unless {@code OK}
 * @param text the cause of the failure; empty if {@code OK}
 */
public record DeliveryOutcome(Peer peer, CallOutcome outcome, long bytes, String text) {
  /** Whether the peer has all bytes. */
  public boolean isDelivered() {
    return outcome == CallOutcome.OK;
  }
}
