package io.millrace.protocol.health;

/** The observations that may move a {@link LivenessState}. */
public enum LivenessObservation {
  /** A packet of the peer arrived. */
  PACKET_RECEIVED,

  /** Nothing is outstanding any more, so the peer may be silent for longer. */
  WORK_ENDED,

  /** The silence threshold passed; the threshold depends on whether something is outstanding. */
  SILENCE_PASSED,

  /** Enough probes, or enough time, went by without any packet. */
  PROBES_EXHAUSTED,

  /** The network refused two packets in flight, of which the second was sent to find out. */
  REFUSED
}
