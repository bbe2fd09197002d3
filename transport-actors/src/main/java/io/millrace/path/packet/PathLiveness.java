package io.millrace.path.packet;

import io.millrace.config.PeerHealthSettings;
import io.millrace.protocol.health.HealthObservation;
import io.millrace.protocol.health.LivenessState;
import io.millrace.protocol.health.PeerLiveness;
import io.millrace.protocol.health.SharedPeerHealth;
import io.millrace.protocol.recovery.RecoveryCounters;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.PeerHealth;
import io.millrace.wire.codec.CloseReason;

/**
 * Connects the liveness machine of a path to the path, and tells its observations to the health of
 * the peer. Watches the peer closely while a transfer is open, and probes through the path's
 * control frames. Takes back the peer's regions if the peer does not answer, and fails the path
 * when the liveness machine gives the peer up. The outcomes of packets go to the health seldom and
 * in sums. While the peer's health takes no calls and the path still hears the peer, the path sends
 * probe after probe, until the peer has answered enough probes. On the worker's thread.
 */
final class PathLiveness {
  private static final long NONE = Long.MAX_VALUE;
  private static final long NANOS_PER_MS = 1_000_000;

  private final PathContext path;
  private final PathOwner owner;
  private final RailControl rails;
  private final PeerLiveness machine;
  private final SharedPeerHealth health;
  private final PeerHealthSettings settings;
  private final long probePeriodNs;
  private boolean suspected;
  private long toldNs;
  private long toldSucceeded;
  private long toldFailed;
  private boolean hasMoreToTell;

  /**
   * The packet of a refusal for which the peer is given up, unless the peer answers a handshake;
   * {@link #NONE} without a refusal.
   */
  private long confirmedBy = NONE;

  /**
   * The time of the next probe to a peer under verification, which must answer several probes in a
   * row; {@link #NONE} otherwise.
   */
  private long verifyNs = NONE;

  PathLiveness(
      PathContext path,
      PathOwner owner,
      RailControl rails,
      SharedPeerHealth health,
      PeerLiveness machine) {
    this.path = path;
    this.owner = owner;
    this.rails = rails;
    this.health = health;
    this.machine = machine;
    settings = path.worker().settings().recovery().health();
    probePeriodNs = path.worker().settings().recovery().silence().probePeriodNs();
  }

  /** The machine's time, which stands still while the worker does; rule L-1. */
  private long presentNs(long nowNs) {
    return nowNs - path.worker().time().absentNs();
  }

  void onPacketReceived(long nowNs) {
    machine.onPacketReceived(presentNs(nowNs));
    confirmedBy = NONE;
    health.onHeard(nowNs);
    if (suspected) {
      suspected = false;
      owner.onTrusted();
    }
  }

  /** The peer answered a probe of this path, in a packet received now. */
  void onProbeAnswered(long nowNs) {
    if (!health.state().takesCalls()) {
      health.onProbeAnswered(path.worker().worker(), nowNs);
      verifyNs = nowNs;
    }
  }

  void onAckElicitingSent() {
    machine.onElicitingPacketSent();
  }

  /** Time has passed; may end the path. */
  void onDeadline(long nowNs) {
    machine.onDeadline(presentNs(nowNs));
    if (machine.isSuspected() && !suspected) {
      suspected = true;
      owner.onSuspected();
      // Packets held back by this node's own NICs say nothing of the peer.
      if (!health.wasHeardWithin(machine.silenceNs(), nowNs) && rails.noWay() == null) {
        tell(
            HealthObservation.UNANSWERED,
            nowNs,
            "no packet for " + silentMs(nowNs) + " ms, probed");
      }
    }
    if (machine.state() == LivenessState.LOST) {
      boolean isThere = health.wasHeardWithin(machine.silenceNs(), nowNs);
      String why = rails.noWay();
      if (!isThere && why == null) {
        tell(
            HealthObservation.GIVEN_UP,
            nowNs,
            "no packet for " + silentMs(nowNs) + " ms, given up");
      }
      String known = why == null && machine.isRefused() ? refusedText() : why;
      close(
          isThere,
          path.peer() + " did not answer its probes" + (known == null ? "" : "; " + known));
    }
  }

  /**
   * The network says that nobody takes the packets of this path; a handshake with the peer has
   * already checked the claim. May end the path.
   *
   * @param packetNumber the packet named by the refusal, -1 without a packet number
   */
  void onRefused(long packetNumber, long nowNs) {
    if (owner.isAsked() && machine.confirmsRefusal(packetNumber, presentNs(nowNs))) {
      // A restarted peer answers the handshake: then the path learns of the peer's next life, and
      // not only of the end of this life.
      confirmedBy = packetNumber;
      return;
    }
    long nextNumber = path.recovery().nextPacketNumber();
    if (machine.onRefused(packetNumber, nextNumber, presentNs(nowNs))) {
      boolean isThere = health.wasHeardWithin(presentNs(nowNs) - machine.refusedNs(), nowNs);
      if (!isThere) {
        tell(HealthObservation.REFUSED, nowNs, "the network says that nobody listens there");
      }
      close(isThere, refusedText());
    }
    path.touch();
  }

  private String refusedText() {
    return path.peer() + " is not there: the network refuses its packets";
  }

  /** The peer was asked whether it knows the path, and did not answer. */
  void onAskFailed(long nowNs) {
    long packetNumber = confirmedBy;
    if (packetNumber != NONE) {
      confirmedBy = NONE;
      onRefused(packetNumber, nowNs);
    }
  }

  /** The turn ends: watches the peer or rests, and returns whether a probe should go. */
  boolean onTurnEnd(boolean isIdle, long nowNs) {
    tellOutcomes(nowNs);
    PeerHealth state = health.state();
    machine.onProbeInterval(path.recovery().probeIntervalNs());
    // A suspected peer is asked until an answer comes or the path is lost: calls wait for either.
    if (isIdle && state.takesCalls() && !suspected) {
      machine.onWorkEnded(presentNs(nowNs));
    } else {
      machine.onWorkStarted(presentNs(nowNs));
    }
    return verify(state, nowNs) || machine.isProbeWanted();
  }

  long nextDeadlineNs() {
    boolean isAwaited = hasMoreToTell && health.state() != PeerHealth.HEALTHY;
    long tellNs = isAwaited ? toldNs + settings.everyNs() : NONE;
    long machineNs = machine.nextDeadlineNs();
    long silenceNs = machineNs == NONE ? NONE : machineNs + path.worker().time().absentNs();
    return Math.min(silenceNs, Math.min(verifyNs, tellNs));
  }

  /** Whether a probe is due to show the return of the peer. */
  private boolean verify(PeerHealth state, long nowNs) {
    if (state.takesCalls() || suspected || machine.state() == LivenessState.LOST) {
      verifyNs = NONE;
      return false;
    }
    boolean isDue = verifyNs == NONE || nowNs - verifyNs >= 0;
    if (isDue) {
      verifyNs = nowNs + Math.max(path.recovery().probeIntervalNs(), probePeriodNs);
    }
    return isDue;
  }

  private void tellOutcomes(long nowNs) {
    RecoveryCounters counters = path.recovery().counters();
    long succeeded = counters.ackedPackets();
    long signs = counters.lostPackets() - counters.spuriousLosses() + counters.probeTimeouts();
    long failed = signs - counters.explained();
    hasMoreToTell = succeeded != toldSucceeded || failed > toldFailed;
    if (hasMoreToTell && nowNs - toldNs >= settings.everyNs()) {
      long rttNs = path.recovery().rtt().smoothedNs();
      long newlyFailed = Math.max(failed - toldFailed, 0);
      health.onOutcomes(
          path.worker().worker(), succeeded - toldSucceeded, newlyFailed, rttNs, nowNs);
      toldNs = nowNs;
      toldSucceeded = succeeded;
      toldFailed = failed;
      hasMoreToTell = false;
    }
  }

  private void tell(HealthObservation observation, long nowNs, String cause) {
    health.on(path.worker().worker(), observation, nowNs, cause);
  }

  private long silentMs(long nowNs) {
    return (presentNs(nowNs) - machine.quietSinceNs()) / NANOS_PER_MS;
  }

  /**
   * Ends the path; the transfers of the path fail at one moment.
   *
   * @param isThere whether the peer is heard of on another path, so that only this path is lost
   */
  private void close(boolean isThere, String text) {
    owner.onGivenUp();
    CallOutcome outcome = isThere ? CallOutcome.PEER_RESET : CallOutcome.PEER_UNRESPONSIVE;
    path.close(CloseReason.PEER_FAULT, outcome, text);
  }
}
