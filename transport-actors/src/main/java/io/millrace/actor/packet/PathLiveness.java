package io.millrace.actor.packet;

import io.millrace.protocol.health.PeerHealth;
import io.millrace.protocol.health.PeerLiveness;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.codec.CloseReason;

/**
 * Connects the liveness of a path to the path: it watches closely while a transfer is open, probes
 * through the path's control frames, takes the peer's regions back when it does not answer, has the
 * link send nothing new then, and fails the path when its machine gives the peer up. That a silent
 * peer is probed is no event: that it did not answer is. On the worker's thread.
 */
final class PathLiveness {
  private static final String HEALTHY = PeerHealth.HEALTHY.name();
  private static final String SUSPECTED = "SUSPECTED";

  private final PathContext path;
  private final PathOwner owner;
  private final PeerLiveness machine;
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
      tell(SUSPECTED, HEALTHY);
    }
  }

  void onAckElicitingSent() {
    machine.onElicitingPacketSent();
  }

  /** Time has passed; may end the path. */
  void onDeadline(long nowNs) {
    machine.onDeadline(nowNs);
    if (machine.isSuspected() && !suspected) {
      suspected = true;
      owner.onSuspected();
      tell(HEALTHY, SUSPECTED);
    }
    if (machine.health() == PeerHealth.FAILED) {
      tell(suspected ? SUSPECTED : HEALTHY, PeerHealth.FAILED.name());
      // Its transfers fail at one moment.
      String text = path.peer() + " did not answer its probes";
      path.close(CloseReason.PEER_FAULT, CallOutcome.PEER_UNRESPONSIVE, text);
    }
  }

  /** The turn ends: watch or rest, and say whether a probe should go. */
  boolean onTurnEnd(boolean isIdle, long nowNs) {
    machine.onProbeInterval(path.recovery().probeIntervalNs());
    if (isIdle) {
      machine.onWorkEnded(nowNs);
    } else {
      machine.onWorkStarted(nowNs);
    }
    return machine.isProbeWanted();
  }

  long nextDeadlineNs() {
    return machine.nextDeadlineNs();
  }

  private void tell(String from, String to) {
    path.worker().events().onPeerHealthChanged(path.worker().worker(), path.peer(), from, to);
  }
}
