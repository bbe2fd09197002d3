package io.millrace.protocol.health;

/** The observations that may move a {@link io.millrace.transfer.PeerHealth}. */
public enum HealthObservation {
  /** So many of the packets to the peer have failed that the degrade threshold is reached. */
  FAILING,

  /** The failing has lasted for longer than the degraded timeout. */
  FAILING_ON,

  /** So few packets have failed that the recover threshold is reached. */
  SUCCEEDING,

  /** The peer should have answered a probe by now and did not. */
  UNANSWERED,

  /** The peer answered enough probes in a row, or a handshake while given up. */
  ANSWERED,

  /**
   * The peer was silent for too long under probing, or the application says that the peer is gone.
   */
  GIVEN_UP,

  /** The network refused two packets in flight, of which the second was sent to find out. */
  REFUSED
}
