package io.millrace.protocol.health;

/**
 * Decides whether a peer is still there, from the peer's silence alone.
 *
 * <p>After the silence threshold without an arrival, the machine probes in periods that grow, with
 * a probe per period; the threshold is much longer while nothing is outstanding. A packet that
 * wants an acknowledgement and was sent anyway since the last period began is the period's probe,
 * so a busy path sends no Probe frame at all. Any packet from the peer ends the probing. After
 * enough periods, or enough time, without a packet the peer is lost, and its owner ends every
 * transfer of the path in the same turn: no transfer ever times out by itself. A report of the
 * network that nobody is there makes the path ask the peer at once.
 *
 * <p>Each peer has its own machine, owned by the peer, on the worker's thread. Does not allocate.
 */
public final class PeerLiveness {
  private static final long NONE = Long.MAX_VALUE;

  /**
   * The number of probes that a single refusal adds to the probes for silence: the next refusal may
   * need these probes.
   */
  private static final int MOST_REFUSAL_PROBES = 8;

  private final LivenessSettings settings;
  private LivenessState state = LivenessState.HEARD;
  private boolean hasStarted;
  private boolean isWatching;
  private long probeIntervalNs;

  /** When the peer was last heard of or, if later, when watching began. */
  private long quietSinceNs;

  /** A packet that will do as a probe was sent since the last probe, and since the last arrival. */
  private boolean hasSentUnasked;

  private long probingSinceNs;
  private long periodStartNs;
  private long periodNs;
  private int unansweredProbes;
  private boolean isSuspected;
  private boolean isProbeWanted;
  private long probesWanted;

  /** The network refused a packet in flight, and no packet of the peer came since. */
  private boolean isRefused;

  private long refusedNs;

  /** Probes that were wanted to confirm the refusal, and the time of the next probe. */
  private int refusalProbes;

  private long refusalProbeNs;

  /** Packets from this number on were sent after the refusal. */
  private long confirmingFrom;

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
      move(LivenessObservation.WORK_ENDED);
      isProbeWanted = false;
    }
  }

  /** Any authentic packet of the peer arrived. */
  public void onPacketReceived(long nowNs) {
    quietSinceNs = nowNs;
    hasSentUnasked = false;
    isRefused = false;
    if (state != LivenessState.HEARD) {
      move(LivenessObservation.PACKET_RECEIVED);
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
   * @return whether the state has changed; see {@link #state}
   */
  public boolean onDeadline(long nowNs) {
    if (nowNs >= refusalDeadlineNs()) {
      refusalProbes++;
      wantRefusalProbe(nowNs);
    }
    if (nowNs < silenceDeadlineNs()) {
      return false;
    }
    if (state == LivenessState.HEARD) {
      move(LivenessObservation.SILENCE_PASSED);
      probingSinceNs = nowNs;
      unansweredProbes = 0;
      isSuspected = false;
      startPeriod(nowNs, settings.probePeriodNs());
      return true;
    }
    unansweredProbes++;
    forgiveLateness(nowNs);
    isSuspected |= nowNs - probingSinceNs >= probeIntervalNs;
    if (unansweredProbes >= settings.maxUnansweredProbes()
        || nowNs - probingSinceNs >= settings.maxProbingNs()) {
      move(LivenessObservation.PROBES_EXHAUSTED);
      isProbeWanted = false;
      return true;
    }
    startPeriod(nowNs, Math.min(periodNs * settings.backoffFactor(), settings.maxProbingNs()));
    return false;
  }

  /**
   * While this side stood still, this side sent no probe and heard nothing: such time does not
   * count.
   */
  private void forgiveLateness(long nowNs) {
    long lateNs = nowNs - silenceDeadlineNs();
    if (lateNs >= settings.probePeriodNs()) {
      probingSinceNs += lateNs;
    }
  }

  /**
   * The network reports for a packet in flight that nobody is there to take the packet. Anybody who
   * sees the path can forge such a report, so the path asks the peer at once. The peer is given up
   * when the network, at least a probe interval after the first refusal, refuses a packet that was
   * sent after the first refusal. A refusal without a packet number never gives the peer up. A
   * packet of the peer in the meantime ends the suspicion.
   *
   * @param packetNumber the refused packet's number, -1 if unknown
   * @param nextPacketNumber the number of the next packet that is sent
   * @return whether the state has changed
   */
  public boolean onRefused(long packetNumber, long nextPacketNumber, long nowNs) {
    if (state == LivenessState.LOST) {
      return false;
    }
    if (!isRefused) {
      isRefused = true;
      refusedNs = nowNs;
      confirmingFrom = nextPacketNumber;
      refusalProbes = 0;
      wantRefusalProbe(nowNs);
      return false;
    }
    boolean isConfirmed = confirmsRefusal(packetNumber, nowNs);
    if (isConfirmed) {
      move(LivenessObservation.REFUSED);
      isProbeWanted = false;
    }
    return isConfirmed;
  }

  /** Whether {@link #onRefused} of this packet would give the peer up. */
  public boolean confirmsRefusal(long packetNumber, long nowNs) {
    return isRefused
        && state != LivenessState.LOST
        && nowNs - refusedNs >= probeIntervalNs
        && packetNumber >= confirmingFrom;
  }

  /** Whether the network refused a packet in flight, and no packet of the peer came since. */
  public boolean isRefused() {
    return isRefused;
  }

  /** When {@link #onDeadline} has something to do, ns; {@link Long#MAX_VALUE} if never. */
  public long nextDeadlineNs() {
    return Math.min(silenceDeadlineNs(), refusalDeadlineNs());
  }

  private long refusalDeadlineNs() {
    boolean isDue = isRefused && refusalProbes < MOST_REFUSAL_PROBES && state != LivenessState.LOST;
    return isDue ? refusalProbeNs : NONE;
  }

  private void wantRefusalProbe(long nowNs) {
    isProbeWanted = true;
    probesWanted++;
    refusalProbeNs = nowNs + Math.max(probeIntervalNs, 1);
  }

  private long silenceDeadlineNs() {
    if (!hasStarted || state == LivenessState.LOST) {
      return NONE;
    }
    if (state == LivenessState.HEARD) {
      long allowedNs = silenceNs();
      return quietSinceNs
          + (isWatching ? allowedNs : Math.max(allowedNs, settings.idleSilenceNs()));
    }
    return Math.min(periodStartNs + periodNs, probingSinceNs + settings.maxProbingNs());
  }

  /** The path's knowledge of the peer. */
  public LivenessState state() {
    return state;
  }

  /**
   * Whether a period of probing has passed without any packet, and so much time that an answer is
   * overdue. Probing alone says only that the peer was silent, as a peer with nothing to say is.
   */
  public boolean isSuspected() {
    return state != LivenessState.HEARD && isSuspected;
  }

  /** When the peer was last heard of or, if later, when watching began, ns. */
  public long quietSinceNs() {
    return quietSinceNs;
  }

  /** When the network refused a packet first, ns; only after {@link #onRefused}. */
  public long refusedNs() {
    return refusedNs;
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
   * The time for which the peer may be silent before a probe while something is outstanding, ns. At
   * most the time of probing, however slow the path seems: a process that stood still takes its own
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

  private void move(LivenessObservation observation) {
    final LivenessState next = LivenessTransitions.next(state, observation);
    if (next == null) {
      throw new IllegalStateException(observation + " cannot be observed while " + state);
    }
    state = next;
    assert invariantsHold();
  }

  private boolean invariantsHold() {
    return (state == LivenessState.HEARD || hasStarted)
        && unansweredProbes <= settings.maxUnansweredProbes();
  }
}
