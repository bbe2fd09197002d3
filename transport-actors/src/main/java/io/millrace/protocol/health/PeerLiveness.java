package io.millrace.protocol.health;

/**
 * Decides whether a peer is still there, from its silence alone.
 *
 * <p>When nothing has arrived for the silence threshold, which is much longer while nothing is
 * outstanding, it probes in periods that grow, one probe per period; a packet that wants an
 * acknowledgement and was sent anyway since the last period began is that period's probe, so a busy
 * path sends no Probe frame at all. Any packet from the peer ends the probing. After enough
 * periods, or enough time, without one the peer has failed, and its owner ends every transfer of
 * that peer in the same turn: no transfer ever times out by itself.
 *
 * <p>One per peer, owned by the peer, on the worker's thread. Does not allocate.
 */
public final class PeerLiveness {
  private static final long NONE = Long.MAX_VALUE;

  private final LivenessSettings settings;
  private PeerHealth health = PeerHealth.HEALTHY;
  private boolean hasStarted;
  private boolean isWatching;
  private long probeIntervalNs;

  /** When the peer was last heard of or, if later, when watching began. */
  private long quietSinceNs;

  /** A packet that will do as a probe was sent since the last one, and since the last arrival. */
  private boolean hasSentUnasked;

  private long probingSinceNs;
  private long periodStartNs;
  private long periodNs;
  private int unansweredProbes;
  private boolean isSuspected;
  private boolean isProbeWanted;
  private long probesWanted;

  /** Makes the machine of a peer that was just heard of and for which nothing is outstanding. */
  public PeerLiveness(LivenessSettings settings) {
    this.settings = settings;
  }

  /** The first interval of the path's probe timeout has changed, ns. */
  public void onProbeInterval(long intervalNs) {
    probeIntervalNs = intervalNs;
  }

  /** Something is outstanding from now on; does nothing if something already was. */
  public void onWorkStarted(long nowNs) {
    if (!isWatching) {
      hasStarted = true;
      isWatching = true;
      quietSinceNs = nowNs;
    }
  }

  /** Nothing is outstanding now; does nothing if that is known. */
  public void onWorkEnded(long nowNs) {
    if (!hasStarted) {
      hasStarted = true;
      quietSinceNs = nowNs;
    }
    if (isWatching) {
      isWatching = false;
      move(HealthObservation.WORK_ENDED);
      isProbeWanted = false;
    }
  }

  /** Any authentic packet of the peer arrived. */
  public void onPacketReceived(long nowNs) {
    quietSinceNs = nowNs;
    hasSentUnasked = false;
    if (health != PeerHealth.HEALTHY) {
      move(HealthObservation.PACKET_RECEIVED);
      isProbeWanted = false;
    }
  }

  /** A packet that wants an acknowledgement, with a Probe frame or any other, was sent. */
  public void onElicitingPacketSent() {
    hasSentUnasked |= !isProbeWanted;
    isProbeWanted = false;
  }

  /**
   * Time has passed. Does nothing before the deadline.
   *
   * @return whether the peer's health has changed; see {@link #health}
   */
  public boolean onDeadline(long nowNs) {
    if (nowNs < nextDeadlineNs()) {
      return false;
    }
    if (health == PeerHealth.HEALTHY) {
      move(HealthObservation.SILENCE_PASSED);
      probingSinceNs = nowNs;
      unansweredProbes = 0;
      isSuspected = false;
      startPeriod(nowNs, settings.probePeriodNs());
      return true;
    }
    unansweredProbes++;
    isSuspected |= nowNs - probingSinceNs >= probeIntervalNs;
    if (unansweredProbes >= settings.maxUnansweredProbes()
        || nowNs - probingSinceNs >= settings.maxProbingNs()) {
      move(HealthObservation.PROBES_EXHAUSTED);
      isProbeWanted = false;
      return true;
    }
    startPeriod(nowNs, Math.min(periodNs * settings.backoffFactor(), settings.maxProbingNs()));
    return false;
  }

  /** When {@link #onDeadline} has something to do, ns; {@link Long#MAX_VALUE} if never. */
  public long nextDeadlineNs() {
    if (!hasStarted || health == PeerHealth.FAILED) {
      return NONE;
    }
    if (health == PeerHealth.HEALTHY) {
      long allowedNs = silenceNs();
      return quietSinceNs
          + (isWatching ? allowedNs : Math.max(allowedNs, settings.idleSilenceNs()));
    }
    return Math.min(periodStartNs + periodNs, probingSinceNs + settings.maxProbingNs());
  }

  /** What is known of the peer. */
  public PeerHealth health() {
    return health;
  }

  /**
   * Whether a period of probing has passed without any packet, and so much time that there should
   * have been an answer. That a peer is probed says only that it was silent, as who has nothing to
   * say is.
   */
  public boolean isSuspected() {
    return health != PeerHealth.HEALTHY && isSuspected;
  }

  /** Whether a Probe frame should be sent now; any packet that wants an answer will do. */
  public boolean isProbeWanted() {
    return isProbeWanted;
  }

  /** How often a Probe frame was wanted so far. */
  public long probesWanted() {
    return probesWanted;
  }

  /**
   * How long the peer may be silent before it is probed while something is outstanding, ns. No
   * longer than it is probed, however slow the path seems: a process that stood still takes its own
   * pause for a round trip.
   */
  public long silenceNs() {
    long slowNs =
        Math.min(settings.silenceProbeIntervals() * probeIntervalNs, settings.maxProbingNs());
    return Math.max(settings.minSilenceNs(), slowNs);
  }

  private void startPeriod(long nowNs, long lengthNs) {
    periodStartNs = nowNs;
    periodNs = lengthNs;
    if (!hasSentUnasked) {
      isProbeWanted = true;
      probesWanted++;
    }
    hasSentUnasked = false;
  }

  private void move(HealthObservation observation) {
    final PeerHealth next = HealthTransitions.next(health, observation);
    if (next == null) {
      throw new IllegalStateException(observation + " cannot be observed while " + health);
    }
    health = next;
    assert invariantsHold();
  }

  private boolean invariantsHold() {
    return (health == PeerHealth.HEALTHY || hasStarted)
        && unansweredProbes <= settings.maxUnansweredProbes();
  }
}
