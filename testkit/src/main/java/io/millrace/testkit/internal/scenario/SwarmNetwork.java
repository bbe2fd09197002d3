package io.millrace.testkit.internal.scenario;

import io.millrace.testkit.sim.DamageSettings;
import io.millrace.testkit.sim.DelaySettings;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.LossSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.NicSettings;
import io.millrace.testkit.sim.PolicerSettings;
import io.millrace.testkit.sim.RateSettings;
import io.millrace.testkit.sim.Swarm;

/**
 * Draws a network: some seeds have no loss, some seeds no damage, some seeds no queues, some seeds
 * no faults at all.
 */
final class SwarmNetwork {
  private static final long US = 1_000;
  private static final long MS = 1_000_000;
  private static final int QUIET_PPM = 100_000;
  private static final int RARE_PPM = 200_000;

  private final Swarm swarm;

  SwarmNetwork(Swarm swarm) {
    this.swarm = swarm;
  }

  NetworkSettings settings() {
    long delayNs = swarm.spread("net.delay", 5 * US, 2 * MS);
    if (swarm.has("net.quiet", QUIET_PPM)) {
      return NetworkSettings.clean(delayNs);
    }
    LinkSettings link =
        LinkSettings.clean(delayNs)
            .withDelay(delay(delayNs))
            .withRate(swarm.has("net.rate") ? rate("net.rate") : RateSettings.UNLIMITED)
            .withLoss(swarm.has("net.loss") ? loss() : LossSettings.NONE)
            .withDamage(swarm.has("net.damage") ? damage() : DamageSettings.NONE);
    if (swarm.has("net.policer", RARE_PPM)) {
      link =
          link.withPolicer(
              new PolicerSettings(
                  swarm.spread("net.policer.rate", 4_000_000, 100_000_000),
                  swarm.spread("net.policer.burst", 64_000, 1_000_000)));
    }
    if (swarm.has("net.mtu", RARE_PPM)) {
      link = link.withMtu(swarm.between("net.mtu.bytes", 1_200, 9_000), swarm.has("net.mtu.told"));
    }
    RateSettings egress = swarm.has("net.egress") ? rate("net.egress") : RateSettings.UNLIMITED;
    RateSettings ingress = swarm.has("net.ingress") ? rate("net.ingress") : RateSettings.UNLIMITED;
    return new NetworkSettings(
        link,
        new NicSettings(egress, ingress),
        (int) swarm.spread("net.ring", 64_000, 4_000_000),
        swarm.has("net.unreachable"));
  }

  private DelaySettings delay(long fixedNs) {
    return new DelaySettings(
        fixedNs,
        swarm.has("net.jitter") ? swarm.spread("net.jitter.mean", US, MS) : 0,
        swarm.has("net.tail") ? (int) swarm.spread("net.tail.ppm", 10, 20_000) : 0,
        swarm.spread("net.tail.mean", MS, 50 * MS),
        swarm.has("net.in-order"));
  }

  private RateSettings rate(String name) {
    return new RateSettings(
        swarm.spread(name + ".bytes", 10_000_000, 2_000_000_000),
        (int) swarm.spread(name + ".queue", 32_000, 2_000_000),
        (int) swarm.spread(name + ".mark", 16_000, 2_000_000));
  }

  private LossSettings loss() {
    return new LossSettings(
        (int) swarm.spread("net.loss.ppm", 10, 100_000),
        swarm.has("net.burst") ? (int) swarm.spread("net.burst.ppm", 10, 5_000) : 0,
        swarm.between("net.burst.packets", 2, 40));
  }

  private DamageSettings damage() {
    return new DamageSettings(
        swarm.has("net.duplicate") ? (int) swarm.spread("net.duplicate.ppm", 10, 100_000) : 0,
        swarm.has("net.reorder") ? (int) swarm.spread("net.reorder.ppm", 10, 100_000) : 0,
        swarm.spread("net.reorder.time", 10 * US, 50 * MS),
        swarm.has("net.corrupt") ? (int) swarm.spread("net.corrupt.ppm", 10, 20_000) : 0,
        swarm.has("net.truncate") ? (int) swarm.spread("net.truncate.ppm", 10, 20_000) : 0);
  }
}
