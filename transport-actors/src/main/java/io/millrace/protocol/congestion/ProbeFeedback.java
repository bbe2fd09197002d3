package io.millrace.protocol.congestion;

/**
 * The verdict of the acknowledgements at hand on the last probe for bandwidth, and the course of
 * this probe. Owned by a {@link Bbr}.
 */
final class ProbeFeedback {
  /** The part of a probe that the present acknowledgements tell about. */
  enum Phase {
    NONE,
    REFILLING,
    STARTING,
    UNDER_WAY,
    STOPPING
  }

  /** The part of the probe. */
  Phase phase = Phase.NONE;

  /** Whether packets of the last probe are out that no loss was noticed of yet. */
  boolean isSample;

  /** Whether the last probe ended by losses. */
  boolean isTooHigh;

  /** Whether the last probe ended early because of losses. */
  boolean isPrecautionary;
}
