package io.millrace.path.packet;

import io.millrace.config.CryptoSettings;
import io.millrace.config.FailoverSettings;
import io.millrace.config.NicSettings;
import io.millrace.config.RecoverySettings;
import io.millrace.config.SilenceSettings;
import io.millrace.config.TransportSettings;
import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.KeyLimits;
import io.millrace.ends.PathCounters;
import io.millrace.path.network.Rail;
import io.millrace.protocol.congestion.Bbr;
import io.millrace.protocol.congestion.BbrSettings;
import io.millrace.protocol.congestion.CongestionController;
import io.millrace.protocol.congestion.NewReno;
import io.millrace.protocol.congestion.NewRenoSettings;
import io.millrace.protocol.congestion.Uncontrolled;
import io.millrace.protocol.health.LivenessSettings;
import io.millrace.protocol.health.PeerLiveness;
import io.millrace.protocol.recovery.LossSettings;
import io.millrace.protocol.recovery.PathRecovery;
import io.millrace.protocol.recovery.ProbeTimeoutSettings;
import io.millrace.protocol.recovery.ReceivedPackets;
import io.millrace.protocol.recovery.SentLogSettings;
import io.millrace.protocol.session.PathRails;
import io.millrace.protocol.session.RailSettings;
import java.util.List;

/** Makes the machines of one path from the settings and from the results of the handshake. */
final class PathMachines {
  private static final int TIME_THRESHOLD_EIGHTHS = 9;
  private static final int PROBE_FACTOR = 2;
  private static final int PATIENCE_PER_SILENCE = 4;
  private static final int SILENCE_INTERVALS = 3;
  private static final int TRAIN_BYTES = 64 << 10;

  /** The first window towards a peer that bounds its senders: four regions. */
  private static final int BOUNDED_WINDOW_BYTES = 256 << 10;

  /** The queues of both ways of a fast link drain within this time. */
  private static final long FAST_QUEUE_NS = 1_000_000;

  private final TransportSettings settings;
  private final PathTerms terms;

  PathMachines(TransportSettings settings, PathTerms terms) {
    this.settings = settings;
    this.terms = terms;
  }

  PathKeys keys(AeadProvider aead, PathCounters counters) {
    CryptoSettings crypto = settings.crypto();
    KeyLimits limits = new KeyLimits(crypto.packetsPerKey(), crypto.bytesPerKey());
    return new PathKeys(terms, aead, limits, counters);
  }

  ReceivedPackets received() {
    return new ReceivedPackets(
        ReceivedPackets.DEFAULT_PACKETS_PER_ACK,
        settings.recovery().ackDelayNs(),
        patienceNs(),
        settings.recovery().windowPackets());
  }

  /** A waiting acknowledgement is no silence. */
  private long patienceNs() {
    RecoverySettings recovery = settings.recovery();
    return Math.min(
        recovery.answerAckDelayNs(), recovery.silence().silenceNs() / PATIENCE_PER_SILENCE);
  }

  PathRecovery recovery() {
    RecoverySettings recovery = settings.recovery();
    RecoverySettings.ProbeTimeout pto = recovery.pto();
    long rttNs = terms.rttNs() > 0 ? terms.rttNs() : recovery.initialRttNs();
    return new PathRecovery(
        new io.millrace.protocol.recovery.RecoverySettings(
            rttNs,
            recovery.ackDelayNs() + terms.queueNs(),
            patienceNs(),
            new LossSettings(
                recovery.reorderPackets(),
                TIME_THRESHOLD_EIGHTHS,
                settings.workers().wheelTickNs()),
            new ProbeTimeoutSettings(
                pto.multiplier(),
                pto.factor(),
                pto.maxNs(),
                pto.jitterPercent(),
                terms.secret().pathId()),
            SentLogSettings.DEFAULT),
        congestion(rttNs));
  }

  private CongestionController congestion(long rttNs) {
    int datagramBytes = NicSettings.BASE_DATAGRAM_BYTES;
    NewRenoSettings windows = windows(datagramBytes);
    return switch (settings.recovery().controller()) {
      case AUTO -> isFabric() ? new Uncontrolled() : new NewReno(windows);
      case NEW_RENO -> new NewReno(windows);
      case NEW_RENO_PACED -> new NewReno(windows.paced());
      case BBR ->
          new Bbr(
              BbrSettings.forPath(
                  datagramBytes,
                  TRAIN_BYTES,
                  rttNs,
                  ReceivedPackets.DEFAULT_PACKETS_PER_ACK,
                  settings.recovery().ackDelayNs(),
                  terms.secret().pathId()));
    };
  }

  /**
   * A peer that knows its link bounds by grants and credit what all its senders have in flight. On
   * a fast link, the window must then not hold back a granted region for the round trips of slow
   * start; rule R-6.
   */
  private NewRenoSettings windows(int datagramBytes) {
    NewRenoSettings usual = NewRenoSettings.forPath(datagramBytes, TRAIN_BYTES);
    boolean isFast = terms.remoteCreditNs() > 0 && terms.queueNs() <= FAST_QUEUE_NS;
    return isFast ? usual.withInitialWindow(BOUNDED_WINDOW_BYTES) : usual;
  }

  /**
   * Whether each rail is of a fabric. A path that may move to another kind of network has a
   * controller from the start.
   */
  private boolean isFabric() {
    return terms.rails().rails().stream().allMatch(Rail::isOneSided);
  }

  PathRails rails(long nowNs) {
    List<Rail> rails = terms.rails().rails();
    return new PathRails(
        rails.stream().mapToInt(Rail::local).toArray(),
        rails.stream().mapToInt(Rail::remote).toArray(),
        terms.initiator(),
        railSettings(),
        nowNs);
  }

  /** How long a rail may be silent, ns. */
  long railSilenceNs() {
    return railSettings().silenceNs();
  }

  private RailSettings railSettings() {
    FailoverSettings failover = settings.nic().failover();
    return new RailSettings(failover.silenceNs(), failover.firstHoldNs(), failover.longestHoldNs());
  }

  PeerLiveness liveness() {
    SilenceSettings silence = settings.recovery().silence();
    return new PeerLiveness(
        new LivenessSettings(
            silence.silenceNs(),
            SILENCE_INTERVALS,
            silence.probePeriodNs(),
            PROBE_FACTOR,
            silence.unansweredProbes(),
            silence.failAfterNs(),
            silence.keepAliveNs()));
  }
}
