package io.millrace.samples.sim.access;

import io.millrace.access.AccessRules;
import io.millrace.access.AccessRules.Rule;
import io.millrace.access.PeerIdentity;
import io.millrace.access.RouteUse;
import io.millrace.config.HandshakeSettings;
import io.millrace.config.TransportSettings;
import io.millrace.testkit.sim.Draws;
import io.millrace.testkit.sim.Swarm;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Draws the routes that the nodes of a seed deny to all others, rules. In a fifth of the
 * seeds each node denies several routes. Both ends of a call know the denied routes from the
 * settings of the server.
 */
public final class PlannedAccess {
  private static final int DENYING_PPM = 200_000;
  private static final int DENIED_ONE_IN = 3;
  private static final List<String> NOBODY = List.of("cn:nobody", "nobody.example.org");
  private static final PeerIdentity ANY_NODE = PeerIdentity.ofPreSharedKey("a simulated node");

  private PlannedAccess() {}

  /**
   * Returns the settings of a node of this seed.
   *
   * @param allowed the use that no node denies, so that each node can probe every other node
   * @param deniable the uses that a node may deny
   */
  public static TransportSettings of(
      Swarm swarm,
      int node,
      TransportSettings settings,
      RouteUse allowed,
      List<RouteUse> deniable) {
    if (!swarm.has("access.denies", DENYING_PPM)) {
      return settings;
    }
    Draws draws = swarm.draws("access.denied");
    List<Rule> rules = new ArrayList<>();
    rules.add(rule(List.of("psk:"), allowed));
    for (int i = 0; i < deniable.size(); i++) {
      RouteUse use = deniable.get(i);
      long entity = (long) node * deniable.size() + i;
      if (draws.below(entity, 0, DENIED_ONE_IN) > 0) {
        rules.add(rule(List.of(draws.below(entity, 1, 2) == 0 ? "*" : "psk:"), use));
      } else if (draws.below(entity, 2, 2) == 0) {
        rules.add(rule(NOBODY, use));
      }
    }
    HandshakeSettings handshake = settings.handshake();
    AccessRules drawn = swarm.vary("access." + node, handshake.access(), new AccessRules(rules));
    return with(settings, drawn);
  }

  private static Rule rule(List<String> peers, RouteUse use) {
    return new Rule(peers, List.of(use.route()), Set.of(use.pattern()));
  }

  /** Returns whether a node of these settings denies this use to the other nodes. */
  public static boolean isDenied(TransportSettings server, RouteUse use) {
    return !server.handshake().access().call(ANY_NODE, use).isAllowed();
  }

  private static TransportSettings with(TransportSettings settings, AccessRules access) {
    HandshakeSettings base = settings.handshake();
    return new TransportSettings(
        new HandshakeSettings(
            base.listen(),
            base.advertised(),
            base.provider(),
            base.tls(),
            base.psk(),
            base.timeoutNs(),
            base.renewEveryNs(),
            base.keyLog(),
            base.limits(),
            access),
        settings.workers(),
        settings.nic(),
        settings.limits(),
        settings.recovery(),
        settings.crypto(),
        settings.scheduler(),
        settings.transfers(),
        settings.regions(),
        settings.streams());
  }
}
