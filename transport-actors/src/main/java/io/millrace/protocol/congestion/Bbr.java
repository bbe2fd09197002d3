package io.millrace.protocol.congestion;

import io.millrace.transfer.CongestionState;

/**
 * The congestion controller of draft-ietf-ccwg-bbr-06 (BBRv3): paces at the observed delivery
 * bandwidth of the path. Its window is about twice the product of this bandwidth and the least
 * round trip. The controller answers losses only as far as losses show that the path takes less.
 *
 * <p>{@link BbrState} has the states. The method names follow the sections "Per-ACK Steps",
 * "ProbeBW Algorithm Details", "ProbeRTT Logic" and "Updating Control Parameters". The choices that
 * the draft leaves open:
 *
 * <ul>
 *   <li>a congestion mark counts as a lost datagram that need not be sent again: any mark lowers
 *       the short-term bounds, and more than 2 % of a round trip's bytes end a probe. The draft
 *       asks for a response to marks ("ECN") and defines no response. A loss that came with marks
 *       is not undone;
 *   <li>a window of state is saved once for all losses of a round trip ({@link LossEpisode}), and
 *       is restored once each loss has proved wrong;
 *   <li>persistent congestion takes the place of the draft's timeout: a probe timeout alone
 *       declares nothing lost and changes nothing;
 *   <li>data that a path sends after an idle time, up to the initial window, does not wait for the
 *       pacing rate (RFC 9002 section 7.7 allows bursts of this size), so that a short message does
 *       not take longer because an earlier message found the network busy;
 *   <li>samples before the first acknowledgement are application-limited, as the samples of a path
 *       that sends a single short message should be.
 * </ul>
 *
 * <p>A path that mostly waits for its application or for grants stays in {@link BbrState#STARTUP},
 * where neither pacing rate nor window shrink. The window paces the path in this state, because the
 * delivered rate says nothing of the possible rate. Owned by one path, on the worker's thread; all
 * times are passed in. Allocates only when more packets are in flight than ever before.
 */
public final class Bbr implements CongestionController {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double LOSS_THRESHOLD = 0.02;
  private static final double BETA = 0.7;
  private static final double PACED_PART = 0.99;
  private static final int STARTUP_LOSS_RANGES = 6;
  private static final int DRAIN_ROUNDS = 3;
  private static final long QUANTUM_NS = 1_000_000;

  private final BbrSettings settings;
  private final DeliveryRate rate = new DeliveryRate();
  private final RoundTrips rounds = new RoundTrips();
  private final MaxBandwidth maxBandwidth = new MaxBandwidth();
  private final AckAggregation aggregation = new AckAggregation();
  private final FullPipe fullPipe = new FullPipe();
  private final MinRtt minRtt = new MinRtt();
  private final ProbeRtt probeRtt = new ProbeRtt();
  private final ProbeClock probeClock;
  private final ShortTermBounds shortTerm = new ShortTermBounds();
  private final LongTermBound longTerm = new LongTermBound();
  private final LossEpisode episode = new LossEpisode();
  private final ProbeFeedback probe = new ProbeFeedback();
  private final PacingRate pacing;
  private final BbrWindow window;

  private BbrState state = BbrState.STARTUP;
  private int datagramBytes;
  private long inFlightBytes;

  /** The bandwidth in use, bytes per second. */
  private long bandwidth;

  /** Starts without knowing anything of the path. */
  public Bbr(BbrSettings settings) {
    this.settings = settings;
    probeClock = new ProbeClock(settings.seed());
    datagramBytes = settings.datagramBytes();
    window = new BbrWindow(settings.initialWindowBytes());
    pacing = new PacingRate(settings.initialWindowBytes());
    pacing.set(PacingRate.ofWindow(settings.initialWindowBytes(), settings.initialRttNs()));
  }

  @Override
  public void onSent(long packetNumber, int bytes, long bytesInFlight, long nowNs) {
    if (bytesInFlight == bytes && rate.isLimited()) {
      onRestartFromIdle(nowNs);
    }
    pacing.onSent(bytes);
    inFlightBytes = bytesInFlight;
    episode.onSent(packetNumber);
    rate.onSent(packetNumber, bytes, bytesInFlight, nowNs);
    window.onSent(bytesInFlight + datagramBytes, rounds.count());
    assert invariantsHold();
  }

  @Override
  public void onApplicationLimited(long bytesInFlight) {
    rate.onLimited(bytesInFlight);
  }

  @Override
  public void onAcked(long packetNumber, int bytes, long sentNs, long nowNs) {
    inFlightBytes -= bytes;
    rate.onAcked(packetNumber, bytes, sentNs, nowNs);
    if (episode.endsRecovery(packetNumber)) {
      episode.endRecovery();
      window.restore();
    }
  }

  @Override
  public void onAckEnd(
      long priorBytesInFlight, long latestRttNs, long minRttNs, long smoothedRttNs, long nowNs) {
    rate.complete();
    if (rate.hasSample()) {
      updateModelAndState(latestRttNs, nowNs);
    } else {
      rounds.onAckWithoutSample();
    }
    setPacingRate(state.pacingGain());
    setWindow();
    if (state == BbrState.STARTUP && rate.isLimited()) {
      pacing.setForLimited(PacingRate.ofWindow(windowBytes(), minRtt.ns()));
    }
    rate.clear();
    assert invariantsHold();
  }

  @Override
  public void onLost(long packetNumber, int bytes, long sentNs, long nowNs) {
    inFlightBytes -= bytes;
    rate.onLost(bytes);
    if (episode.isNew(packetNumber)) {
      saveWindow();
      episode.begin(shortTerm, longTerm);
    }
    shortTerm.onLoss(rate.deliveredBytes(), episode.onLost(packetNumber) ? 1 : 0);
    final long inFlight = rate.inFlightAtSend(packetNumber);
    if (probe.isSample && inFlight >= 0) {
      final long lost = rate.lostSince(packetNumber);
      if (isTooMuch(lost, inFlight)) {
        onInFlightTooHigh(
            inFlightAtLoss(inFlight, lost, bytes), rate.isLimited(packetNumber), nowNs);
      }
    }
    rate.forget(packetNumber);
    assert invariantsHold();
  }

  @Override
  public void onDiscarded(long packetNumber, int bytes) {
    inFlightBytes -= bytes;
    rate.forget(packetNumber);
    assert invariantsHold();
  }

  @Override
  public void onSpuriousLoss(long packetNumber, long nowNs) {
    if (!episode.onArrived(packetNumber)) {
      return;
    }
    window.restore();
    shortTerm.forgetLosses();
    fullPipe.restart(0);
    shortTerm.raiseTo(episode.savedBytesPerSecond(), episode.savedShortTermBytes());
    longTerm.raiseTo(episode.savedLongTermBytes());
    if (episode.hasLeft(BbrState.STARTUP) && state != BbrState.STARTUP) {
      fullPipe.retract();
      if (state != BbrState.PROBE_RTT) {
        state = BbrState.STARTUP;
      }
    } else if (episode.hasLeft(BbrState.UP)
        && state != BbrState.UP
        && state != BbrState.PROBE_RTT) {
      startRefill();
    }
    episode.forget();
    boundBandwidth();
    setPacingRate(state.pacingGain());
    assert invariantsHold();
  }

  @Override
  public void onEcnCe(int newMarks, long sentNs, long nowNs) {
    rate.onLost((long) newMarks * datagramBytes);
    episode.onMarks();
    shortTerm.onLoss(rate.deliveredBytes(), newMarks);
    if (probe.isSample && rate.hasSample() && isSampleTooMuch()) {
      onInFlightTooHigh(rate.sampleInFlightBytes(), rate.isLimitedSample(), nowNs);
    }
    assert invariantsHold();
  }

  @Override
  public void onPersistentCongestion(long nowNs) {
    saveWindow();
    window.set(Math.min(windowBytes(), inFlightBytes + datagramBytes));
    assert invariantsHold();
  }

  @Override
  public void onDatagramBytes(int bytes) {
    datagramBytes = bytes;
    window.set(Math.max(windowBytes(), minimumWindowBytes()));
    assert invariantsHold();
  }

  @Override
  public long windowBytes() {
    return window.bytes();
  }

  @Override
  public long pacingRateBytesPerSecond() {
    return pacing.bytesPerSecond(isIdle(), state == BbrState.STARTUP && rate.isLimited());
  }

  /** Whether nothing is in flight because the path had nothing to send. */
  private boolean isIdle() {
    return inFlightBytes == 0 && rate.isLimited() && !episode.isRecovering();
  }

  // The draft's UpdateModelAndState, in the draft's order.

  private void updateModelAndState(long latestRttNs, long nowNs) {
    shortTerm.onAck(rate);
    updateCongestionSignals();
    aggregation.onAck(rate.newlyAckedBytes(), bandwidth, windowBytes(), nowNs);
    if (rounds.isStart() && !rate.isLimitedSample()) {
      fullPipe.onRound(rate.bytesPerSecond());
    }
    checkStartupDone();
    checkDrainDone(nowNs);
    updateCycle(nowNs);
    updateMinRtt(latestRttNs, nowNs);
    shortTerm.onAckEnd(rate);
    boundBandwidth();
  }

  private void updateCongestionSignals() {
    rounds.onAck(rate.priorDeliveredBytes(), rate.deliveredBytes());
    if (rounds.isStart()) {
      probeClock.onRound();
      aggregation.onRound(fullPipe.isReached());
    }
    maxBandwidth.onSample(rate.bytesPerSecond(), rate.isLimitedSample());
    if (shortTerm.isLossRoundOver() && !state.isProbing()) {
      shortTerm.lower(maxBandwidth.value(), windowBytes());
    }
  }

  private void checkStartupDone() {
    if (state != BbrState.STARTUP) {
      return;
    }
    if (shortTerm.isLossRoundOver()
        && shortTerm.lossRanges() >= STARTUP_LOSS_RANGES
        && isSampleTooMuch()) {
      episode.onLeft(BbrState.STARTUP);
      fullPipe.declare();
      longTerm.set(Math.max(deliverable(1, bandwidth), shortTerm.latestBytes()));
    }
    if (fullPipe.isReached()) {
      state = BbrState.DRAIN;
      rounds.mark();
    }
  }

  private void checkDrainDone(long nowNs) {
    if (state == BbrState.DRAIN
        && (inFlightBytes <= inFlight(bandwidth) || rounds.sinceMark() > DRAIN_ROUNDS)) {
      startDown(nowNs);
    }
  }

  private void updateCycle(long nowNs) {
    if (!fullPipe.isReached() || adaptLongTermModel() || !state.isCycle()) {
      return;
    }
    switch (state) {
      case DOWN -> {
        if (isTimeToProbe(nowNs)) {
          startRefill();
        } else if (isTimeToCruise()) {
          state = BbrState.CRUISE;
        }
      }
      case CRUISE -> {
        if (isTimeToProbe(nowNs)) {
          startRefill();
        }
      }
      case REFILL -> {
        if (rounds.isStart()) {
          probe.isSample = true;
          startUp();
        }
      }
      case UP -> {
        if (isTimeToGoDown()) {
          probe.isTooHigh = false;
          startDown(nowNs);
        }
      }
      default -> throw new IllegalStateException("not of the cycle: " + state);
    }
  }

  /** Whether the controller began another probe. */
  private boolean adaptLongTermModel() {
    if (probe.phase == ProbeFeedback.Phase.STARTING && rounds.isStart()) {
      probe.phase = ProbeFeedback.Phase.UNDER_WAY;
    }
    if (probe.phase == ProbeFeedback.Phase.STOPPING && rounds.isStart()) {
      probe.isSample = false;
      probe.phase = ProbeFeedback.Phase.NONE;
      if (state.isCycle() && !rate.isLimitedSample()) {
        maxBandwidth.advance();
      }
      if (state.isCycle() && probe.isPrecautionary && !probe.isTooHigh) {
        startRefill();
        return true;
      }
    }
    if (!isSampleTooMuch() && longTerm.bytes() != LongTermBound.NONE) {
      longTerm.raiseTo(rate.sampleInFlightBytes());
      if (state == BbrState.UP && isHeldByLongTerm()) {
        longTerm.onAcked(rate.newlyAckedBytes(), datagramBytes);
        if (rounds.isStart()) {
          longTerm.doubleSteps(windowBytes(), datagramBytes);
        }
      }
    }
    return false;
  }

  private void startDown(long nowNs) {
    shortTerm.forgetRound();
    longTerm.stopSteps();
    probeClock.start(nowNs);
    probe.phase = ProbeFeedback.Phase.STOPPING;
    rounds.start(rate.deliveredBytes());
    state = BbrState.DOWN;
  }

  private void startRefill() {
    shortTerm.clear();
    longTerm.restartSteps();
    probe.isPrecautionary = false;
    probe.phase = ProbeFeedback.Phase.REFILLING;
    rounds.start(rate.deliveredBytes());
    state = BbrState.REFILL;
  }

  private void startUp() {
    probe.phase = ProbeFeedback.Phase.STARTING;
    rounds.start(rate.deliveredBytes());
    fullPipe.restart(rate.bytesPerSecond());
    state = BbrState.UP;
    longTerm.doubleSteps(windowBytes(), datagramBytes);
  }

  private boolean isTimeToProbe(long nowNs) {
    return probeClock.isOver(targetInFlightBytes() / datagramBytes, nowNs);
  }

  private boolean isTimeToCruise() {
    return inFlightBytes <= longTerm.withHeadroom(datagramBytes)
        && inFlightBytes <= inFlight(maxBandwidth.value());
  }

  private boolean isTimeToGoDown() {
    if (probe.isTooHigh && inFlightBytes >= longTerm.bytes()) {
      probe.isPrecautionary = true;
      return true;
    }
    if (isHeldByLongTerm()) {
      fullPipe.restart(rate.bytesPerSecond());
      return false;
    }
    return fullPipe.isNow();
  }

  private boolean isHeldByLongTerm() {
    return window.wasFullSince(rounds.count() - 1) && windowBytes() >= longTerm.bytes();
  }

  private void onInFlightTooHigh(long inFlight, boolean isLimited, long nowNs) {
    probe.isTooHigh = true;
    probe.isSample = false;
    if (!isLimited) {
      longTerm.set(Math.max(inFlight, (long) (targetInFlightBytes() * BETA)));
    }
    if (state == BbrState.UP) {
      episode.onLeft(BbrState.UP);
      startDown(nowNs);
    }
  }

  private boolean isSampleTooMuch() {
    return isTooMuch(rate.sampleLostBytes(), rate.sampleInFlightBytes());
  }

  private static boolean isTooMuch(long lost, long inFlight) {
    return lost > inFlight * LOSS_THRESHOLD;
  }

  /** How much was in flight when the losses crossed the threshold, within a packet or train. */
  private static long inFlightAtLoss(long inFlight, long lost, int bytes) {
    final long inFlightBefore = inFlight - bytes;
    final long lostBefore = lost - bytes;
    return inFlightBefore
        + (long) ((LOSS_THRESHOLD * inFlightBefore - lostBefore) / (1 - LOSS_THRESHOLD));
  }

  // The least round trip.

  /**
   * The round trip of the newest packet counts without the wait of its acknowledgement, where the
   * peer told the wait.
   */
  private void updateMinRtt(long latestRttNs, long nowNs) {
    final boolean isExpired = minRtt.isExpired(nowNs);
    // The product of the round trip before a larger round trip takes its place, which a queue may
    // have made.
    final long probeWindow =
        Math.max(deliverable(BbrState.PROBE_RTT.windowGain(), bandwidth), minimumWindowBytes());
    final boolean isFirst = minRtt.ns() == MinRtt.UNKNOWN;
    final long sampleNs = latestRttNs > 0 ? Math.min(rate.rttNs(), latestRttNs) : rate.rttNs();
    minRtt.onSample(sampleNs, nowNs);
    if (isFirst) {
      pacing.raiseTo(PacingRate.ofWindow(settings.initialWindowBytes(), sampleNs));
    }
    if (state != BbrState.PROBE_RTT && isExpired && !probeRtt.isSkipped()) {
      saveWindow();
      state = BbrState.PROBE_RTT;
      probeRtt.begin(probeWindow);
      probe.phase = ProbeFeedback.Phase.STOPPING;
      rounds.start(rate.deliveredBytes());
    }
    if (state == BbrState.PROBE_RTT) {
      rate.onLimited(inFlightBytes);
      handleProbeRtt(nowNs);
    }
    probeRtt.skip(false);
  }

  private void handleProbeRtt(long nowNs) {
    if (probeRtt.isDrainedBy(inFlightBytes)) {
      probeRtt.onDrained(nowNs);
      rounds.start(rate.deliveredBytes());
      return;
    }
    if (rounds.isStart()) {
      probeRtt.onRound();
    }
    if (probeRtt.isDone(nowNs)) {
      leaveProbeRtt(nowNs);
    }
  }

  private void leaveProbeRtt(long nowNs) {
    minRtt.onProbed(nowNs);
    window.restore();
    shortTerm.clear();
    if (fullPipe.isReached()) {
      startDown(nowNs);
      state = BbrState.CRUISE;
    } else {
      state = BbrState.STARTUP;
    }
  }

  private void onRestartFromIdle(long nowNs) {
    probeRtt.skip(true);
    if (!episode.isRecovering()) {
      pacing.onIdle();
    }
    aggregation.restart(nowNs);
    if (state.isCycle()) {
      setPacingRate(1);
    } else if (state == BbrState.PROBE_RTT && probeRtt.isTimeOver(nowNs)) {
      leaveProbeRtt(nowNs);
    }
  }

  // The values that follow from the model.

  private void boundBandwidth() {
    bandwidth = Math.min(maxBandwidth.value(), shortTerm.bytesPerSecond());
  }

  private void setPacingRate(double gain) {
    final long paced = (long) (gain * bandwidth * PACED_PART);
    if (fullPipe.isReached()) {
      pacing.set(Math.max(paced, datagramBytes));
    } else {
      pacing.raiseTo(paced);
    }
  }

  /** The most bytes to send at a time: the bytes of a millisecond, and a train at most. */
  private long quantumBytes() {
    final long bytes = (long) (pacing.bytesPerSecond() * (QUANTUM_NS / NANOS_PER_SECOND));
    return Math.max(Math.min(bytes, settings.trainBytes()), 2L * datagramBytes);
  }

  /** The bytes that sending in trains and delayed acknowledgements keep in flight. */
  private long offloadBudgetBytes() {
    final long delayed = (long) (settings.ackDelayNs() * (maxBandwidth.value() / NANOS_PER_SECOND));
    return quantumBytes() + Math.min((long) settings.ackPackets() * datagramBytes, delayed);
  }

  /** Bytes that this bandwidth delivers in the least round trip, times the gain. */
  private long deliverable(double gain, long bytesPerSecond) {
    return minRtt.ns() == MinRtt.UNKNOWN
        ? settings.initialWindowBytes()
        : (long) (gain * bytesPerSecond * (minRtt.ns() / NANOS_PER_SECOND));
  }

  private long inFlight(long bytesPerSecond) {
    return withBudget(deliverable(1, bytesPerSecond));
  }

  private long withBudget(long bytes) {
    final long least = Math.max(offloadBudgetBytes(), minimumWindowBytes());
    return Math.max(bytes, least) + (state == BbrState.UP ? 2L * datagramBytes : 0);
  }

  private long targetInFlightBytes() {
    return Math.min(deliverable(1, bandwidth), windowBytes());
  }

  private void setWindow() {
    final long most =
        withBudget(deliverable(state.windowGain(), bandwidth) + aggregation.extraBytes());
    final long acked = rate.newlyAckedBytes();
    long bytes = windowBytes();
    if (fullPipe.isReached()) {
      bytes = Math.min(bytes + acked, most);
    } else if (bytes < most || rate.deliveredBytes() < settings.initialWindowBytes()) {
      bytes += acked;
    }
    bytes = Math.max(bytes, minimumWindowBytes());
    if (state == BbrState.PROBE_RTT) {
      bytes = Math.min(bytes, probeRtt.windowBytes());
    }
    window.set(Math.min(bytes, windowCap()));
  }

  private long windowCap() {
    final long longTermCap =
        switch (state) {
          case DRAIN, DOWN, REFILL, UP -> longTerm.bytes();
          case CRUISE, PROBE_RTT -> longTerm.withHeadroom(datagramBytes);
          case STARTUP -> Long.MAX_VALUE;
        };
    final long cap = Math.min(longTermCap, shortTerm.inFlightBytes());
    return Math.max(Math.min(cap, settings.maximumWindowBytes()), minimumWindowBytes());
  }

  private void saveWindow() {
    window.save(episode.isRecovering() || state == BbrState.PROBE_RTT);
  }

  private long minimumWindowBytes() {
    return BbrSettings.minimumWindowBytes(datagramBytes);
  }

  private boolean invariantsHold() {
    return inFlightBytes >= 0
        && window.bytes() > 0
        && pacing.bytesPerSecond() > 0
        && bandwidth >= 0
        && longTerm.bytes() > 0
        && shortTerm.inFlightBytes() >= 0;
  }

  @Override
  public CongestionState congestionState() {
    return state.shown();
  }

  // For tests.

  BbrState state() {
    return state;
  }

  long maxBandwidthBytesPerSecond() {
    return maxBandwidth.value();
  }

  long minRttNs() {
    return minRtt.ns();
  }

  long roundCount() {
    return rounds.count();
  }

  long inFlightBytes() {
    return inFlightBytes;
  }

  long extraAckedBytes() {
    return aggregation.extraBytes();
  }

  long drainedBytes() {
    return inFlight(bandwidth);
  }

  boolean isPipeFull() {
    return fullPipe.isReached();
  }

  long probeRttWindowBytes() {
    return probeRtt.windowBytes();
  }

  LongTermBound longTerm() {
    return longTerm;
  }

  ShortTermBounds shortTerm() {
    return shortTerm;
  }
}
