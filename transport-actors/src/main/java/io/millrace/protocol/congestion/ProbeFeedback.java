package io.millrace.protocol.congestion;

/**
 * What the acknowledgements at hand tell about the last probe for bandwidth, and how that went.
 * draft-ietf-ccwg-bbr-06, "ProbeBW Algorithm Details". Owned by one {@link Bbr}.
 */
final class ProbeFeedback {
  /** Which part of a probe the present acknowledgements tell about. */
  enum Phase {
    NONE,
    REFILLING,
    STARTING,
    UNDER_WAY,
    STOPPING
  }

  /** Which part it is. */
  Phase phase = Phase.NONE;

  /** Whether packets of the last probe are out that no loss was noticed of yet. */
  boolean isSample;

  /** Whether the last probe ended by losses. */
  boolean isTooHigh;

  /** Whether the last probe ended early for that reason. */
  boolean isPrecautionary;
}
