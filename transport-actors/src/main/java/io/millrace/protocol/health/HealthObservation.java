package io.millrace.protocol.health;

/** What may move a {@link io.millrace.transfer.PeerHealth}. */
public enum HealthObservation {
  /** So much of what was sent has failed that the degrade threshold is reached. */
  FAILING,

  /** That has lasted for longer than the degraded timeout. */
  FAILING_ON,

  /** So little has failed that the recover threshold is reached. */
  SUCCEEDING,

  /** It should have answered a probe by now and did not. */
  UNANSWERED,

  /** It answered enough probes in a row, or a handshake while it was given up. */
  ANSWERED,

  /** It was silent for too long under probing, or the application says that it is gone. */
  GIVEN_UP,

  /** The network refused two packets in flight, of which the second was sent to find out. */
  REFUSED
}
