package io.millrace.protocol.congestion;

import io.millrace.transfer.CongestionState;

/**
 * The state of a {@link Bbr} at present, with the gains of draft-ietf-ccwg-bbr-06, "Summary of
 * Control Behavior in the State Machine".
 *
 * <p>{@link #STARTUP}, {@link #DRAIN} and then a cycle of {@link #DOWN}, {@link #CRUISE}, {@link
 * #REFILL} and {@link #UP}. {@link #PROBE_RTT} interrupts any state; the controller goes back to
 * {@code STARTUP} if the path was never full, to {@code CRUISE} otherwise.
 */
enum BbrState {
  /** Doubles the rate each round trip until the rate no longer grows, or losses say so. */
  STARTUP(2.77, 2),
  /** Drains the queue that {@link #STARTUP} made. */
  DRAIN(0.5, 2),
  /** Sends less than the path delivers, so that other flows find room. */
  DOWN(0.9, 2),
  /** Sends at the rate of delivery. */
  CRUISE(1, 2),
  /** Fills the path for a round trip, without a queue. */
  REFILL(1, 2),
  /** Sends more than is delivered, to find out whether there is more. */
  UP(1.25, 2.25),
  /** Has little in flight for a moment, to see the round trip without queues. */
  PROBE_RTT(1, 0.5);

  private final double pacingGain;
  private final double windowGain;
  private final CongestionState shown = CongestionState.valueOf(name());

  BbrState(double pacingGain, double windowGain) {
    this.pacingGain = pacingGain;
    this.windowGain = windowGain;
  }

  /** Times the bandwidth is the pacing rate. */
  double pacingGain() {
    return pacingGain;
  }

  /** Times the product of bandwidth and delay is the window. */
  double windowGain() {
    return windowGain;
  }

  /** The state as shown to events and probes. */
  CongestionState shown() {
    return shown;
  }

  /** Whether the state is part of the cycle. */
  boolean isCycle() {
    return this == DOWN || this == CRUISE || this == REFILL || this == UP;
  }

  /**
   * Whether the state looks for more bandwidth, so that losses are answered by leaving the state.
   */
  boolean isProbing() {
    return this == STARTUP || this == REFILL || this == UP;
  }
}
