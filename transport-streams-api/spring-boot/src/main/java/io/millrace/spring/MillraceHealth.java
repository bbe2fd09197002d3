package io.millrace.spring;

import io.millrace.api.Transport;
import io.millrace.api.TransportSnapshot.ReachedPeer;
import io.millrace.transfer.PeerHealth;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * The health of the transport: up while the node serves, out of service before and while the node
 * drains, down once the node has closed. An unhealthy peer changes the details alone, because
 * another node in place of this node would not reach the peer any better. Any thread.
 */
final class MillraceHealth implements HealthIndicator {
  /** Further peers are counted and not named. */
  private static final int MOST_NAMED = 100;

  private final Transport transport;
  private final TransportLifecycle lifecycle;

  MillraceHealth(Transport transport, TransportLifecycle lifecycle) {
    this.transport = transport;
    this.lifecycle = lifecycle;
  }

  @Override
  public Health health() {
    return switch (lifecycle.state()) {
      case STARTING -> Health.outOfService().withDetail("reason", "starting").build();
      case SERVING -> withPeers(Health.up());
      case DRAINING -> withPeers(Health.outOfService().withDetail("reason", "draining"));
      case CLOSED -> Health.down().withDetail("reason", "closed").build();
    };
  }

  private Health withPeers(Health.Builder health) {
    List<ReachedPeer> peers = transport.snapshot().peers();
    Map<String, Integer> counts = new TreeMap<>();
    Map<String, String> unhealthy = new TreeMap<>();
    for (ReachedPeer each : peers) {
      PeerHealth state = transport.peer(each.address()).health().state();
      counts.merge(state.name(), 1, Integer::sum);
      if (state != PeerHealth.HEALTHY && unhealthy.size() < MOST_NAMED) {
        unhealthy.put(each.address(), state.name());
      }
    }
    return health
        .withDetail("address", transport.address())
        .withDetail("peers", counts)
        .withDetail("unhealthy", unhealthy)
        .build();
  }
}
