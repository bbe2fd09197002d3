package io.millrace.engine;

import io.millrace.config.PeerHealthSettings;
import io.millrace.event.PeerHealthChange;
import io.millrace.event.TransportEvents;
import io.millrace.protocol.health.HealthListener;
import io.millrace.protocol.health.HealthSettings;
import io.millrace.protocol.health.SharedPeerHealth;

/** Makes the health of each peer of a node, whose changes are events. Any thread. */
final class NodeHealths {
  private final HealthSettings settings;
  private final TransportEvents events;

  NodeHealths(PeerHealthSettings settings, TransportEvents events) {
    this.settings =
        new HealthSettings(
            settings.outcomes(),
            settings.degradePercent(),
            settings.recoverPercent(),
            settings.degradedTimeoutNs(),
            settings.answeredProbes());
    this.events = events;
  }

  /** The health of a peer without any observation. */
  SharedPeerHealth of(String peer) {
    return new SharedPeerHealth(peer, settings, this::onChange);
  }

  private void onChange(HealthListener.Change change) {
    events.onPeerHealth(
        new PeerHealthChange(
            change.worker(),
            change.peer(),
            change.from(),
            change.to(),
            change.nowNs(),
            change.failureRate(),
            change.smoothedRttNs(),
            change.cause()));
  }
}
