package io.millrace.actor.packet;

import io.millrace.protocol.health.PeerHealth;
import io.millrace.protocol.health.PeerLiveness;
import io.millrace.protocol.transfer.CallOutcome;
import io.millrace.wire.codec.CloseReason;

/**
 * Connects the liveness of a path to the path: it watches closely while a transfer is open, probes
 * through the path's control frames, takes the peer's regions back when it does not answer, has the
 * link send nothing new then, and fails the path when its machine gives the peer up. That an idle
 * peer is asked now and then is no event. On the worker's thread.
 */
final class PathLiveness {
  private final PathContext path;
  private final PathOwner owner;
  private final PeerLiveness machine;
  private PeerHealth known = PeerHealth.HEALTHY;
  private boolean idle = true;
  private boolean suspected;

  PathLiveness(PathContext path, PathOwner owner, PeerLiveness machine) {
    this.path = path;
    this.owner = owner;
    this.machine = machine;
  }

  void onPacketReceived(long nowNs) {
    machine.onPacketReceived(nowNs);
    if (suspected) {
      suspected = false;
      owner.onTrusted();
    }
    report();
  }

  void onAckElicitingSent() {
    machine.onElicitingPacketSent();
  }

  /** Time has passed; may end the path. */
  void onDeadline(long nowNs) {
    machine.onDeadline(nowNs);
    report();
    if (machine.isSuspected() && !suspected) {
      suspected = true;
      owner.onSuspected();
    }
    if (machine.health() == PeerHealth.FAILED) {
      // Its transfers fail at one moment.
      String text = path.peer() + " did not answer its probes";
      path.close(CloseReason.PEER_FAULT, CallOutcome.PEER_UNRESPONSIVE, text);
    }
  }

  /** The turn ends: watch or rest, and say whether a probe should go. */
  boolean onTurnEnd(boolean isIdle, long nowNs) {
    machine.onProbeInterval(path.recovery().probeIntervalNs());
    idle = isIdle;
    if (isIdle) {
      machine.onWorkEnded(nowNs);
    } else {
      machine.onWorkStarted(nowNs);
    }
    report();
    return machine.isProbeWanted();
  }

  long nextDeadlineNs() {
    return machine.nextDeadlineNs();
  }

  private void report() {
    PeerHealth health = machine.health();
    if (idle && health == PeerHealth.PROBING) {
      health = PeerHealth.HEALTHY;
    }
    if (health != known) {
      path.worker()
          .events()
          .onPeerHealthChanged(path.worker().worker(), path.peer(), known.name(), health.name());
      known = health;
    }
  }
}
