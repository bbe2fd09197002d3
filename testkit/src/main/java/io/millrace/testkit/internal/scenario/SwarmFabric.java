package io.millrace.testkit.internal.scenario;

import io.millrace.config.RegionSettings;
import io.millrace.config.TransportSettings;
import io.millrace.testkit.sim.DelaySettings;
import io.millrace.testkit.sim.FabricSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.RetrySettings;
import io.millrace.testkit.sim.Swarm;

/**
 * Draws a fabric, the network below the fabric, and transports. Most transports know for how long
 * the hardware repeats writes. All other delays are bounded, so that regions can rest for longer.
 * Some regions rest too short all the same, as an operator may set the rest; then tags alone
 * protect the read bytes.
 */
final class SwarmFabric {
  private static final long US = 1_000;
  private static final long MS = 1_000_000;
  private static final long S = 1_000 * MS;

  /**
   * Beyond the hardware's own patience: a write leaves within 66 ms on the slowest link. The
   * write's last piece travels for 60 ms on the longest link, and up to 37 ms of jitter and 5 ms of
   * overtaking come on top.
   */
  private static final long MARGIN_NS = 200 * MS;

  /**
   * Most bytes that all senders together have on the way to the workers of a node, and a margin.
   */
  private static final long MOST_ARRIVING_BYTES = 2L << 20;

  private static final int SHORT_PPM = 250_000;
  private static final double SECOND_NS = 1e9;

  private final Swarm swarm;

  SwarmFabric(Swarm swarm) {
    this.swarm = swarm;
  }

  FabricSettings settings() {
    FabricSettings usual = FabricSettings.DEFAULT;
    return usual
        .withRetry(retry(usual.retry()))
        .withOvertaking(
            swarm.vary(
                "fabric.overtaking",
                usual.overtakePpm(),
                swarm.pick("fabric.overtaking", 0, 1, 2) * 250_000),
            swarm.vary(
                "fabric.overtaken",
                usual.overtakeMaxNs(),
                swarm.spread("fabric.overtaken", US, 5 * MS)))
        .withQueues(
            swarm.vary(
                "fabric.receives",
                usual.receiveBuffers(),
                (int) swarm.spread("fabric.receives", 8, 1_024)),
            swarm.vary(
                "fabric.writes", usual.writeDepth(), (int) swarm.spread("fabric.writes", 1, 128)))
        .withPieces(
            swarm.vary(
                "fabric.piece",
                usual.pieceBytes(),
                (int) swarm.spread("fabric.piece", 1 << 10, 1 << 16)))
        .withVirtualAddresses(
            swarm.vary("fabric.virtual", usual.isVirtual(), swarm.has("fabric.virtual")));
  }

  private RetrySettings retry(RetrySettings usual) {
    return new RetrySettings(
        swarm.vary("fabric.retry", usual.retryNs(), swarm.spread("fabric.retry", 5 * US, MS)),
        deadAfterNs(usual),
        swarm.vary(
            "fabric.rnr-delay", usual.rnrDelayNs(), swarm.spread("fabric.rnr-delay", US, MS)),
        swarm.vary(
            "fabric.rnr-retries", usual.rnrRetries(), swarm.between("fabric.rnr-retries", 0, 20)));
  }

  private long deadAfterNs(RetrySettings usual) {
    long drawnNs = swarm.spread("fabric.dead", 20 * MS, 100 * MS);
    return swarm.vary("fabric.dead", usual.deadAfterNs(), drawnNs);
  }

  NetworkSettings network() {
    NetworkSettings network = swarm.network();
    DelaySettings delay = network.link().delay();
    long jitterNs = swarm.has("net.jitter") ? swarm.spread("fabric.jitter", US, 100 * US) : 0;
    return network.withLink(
        network
            .link()
            .withDelay(new DelaySettings(delay.fixedNs(), jitterNs, 0, 0, delay.inOrder())));
  }

  /**
   * Returns settings of transports on this fabric.
   *
   * @param node draws the choices of the node's own
   */
  TransportSettings transport(Swarm node) {
    TransportSettings drawn = node.transport();
    boolean isShort = node.has("fabric.short-rest", SHORT_PPM);
    RegionSettings regions = drawn.regions();
    return new TransportSettings(
        drawn.handshake(),
        drawn.workers(),
        drawn.nic(),
        drawn.limits(),
        drawn.recovery(),
        drawn.crypto(),
        drawn.scheduler(),
        drawn.transfers(),
        regions.withQuarantineNs(
            node.vary("fabric.rest", restNs(), isShort ? shortNs(node) : longNs(node))),
        drawn.streams());
  }

  private long longNs(Swarm node) {
    return node.spread("fabric.rest", restNs(), S);
  }

  /**
   * A rest shorter than any hardware repeats: late pieces may land in memory that other peers hold
   * by then.
   */
  private static long shortNs(Swarm node) {
    return node.spread("fabric.rest", MS / 10, 15 * MS);
  }

  /** The shortest rest after which no piece lands any more. */
  private long restNs() {
    long bytesPerSecond = swarm.network().nic().ingress().bytesPerSecond();
    long arrivingNs =
        bytesPerSecond == 0 ? 0 : (long) (MOST_ARRIVING_BYTES * SECOND_NS / bytesPerSecond);
    return deadAfterNs(RetrySettings.DEFAULT) + MARGIN_NS + arrivingNs;
  }
}
