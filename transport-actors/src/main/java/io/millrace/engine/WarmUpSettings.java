package io.millrace.engine;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.millrace.config.NicEntry;
import io.millrace.config.TransportSettings;
import io.millrace.provider.Loaders;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The settings of the nodes of a warm-up: small nodes on the loopback interface, which admit only
 * each other. Ciphers, weights, congestion control and the size of datagrams are those of the
 * warmed node, because these choose the code that runs. Control plane; any thread.
 */
public final class WarmUpSettings {
  private static final int SECRET_BYTES = 32;
  private static final String LINUX_DRIVER = "udp";

  /** A wait for a core must not count as the silence of a peer. */
  @SuppressWarnings("InlineFormatString") // the settings stand together
  private static final String SMALL =
      """
      millrace.handshake { listen = "127.0.0.1:0", provider = psk, psk = "%s", renew-every = 1 h }
      millrace.nic { driver = "%s", address = "127.0.0.1:0", max-datagram = %d }
      millrace.workers { count = 1, hang-after = 0 s }
      millrace.recovery { probe-period = 5 s, fail-after = 20 s }
      millrace.congestion.controller = %s
      millrace.transfers { buffer-pool = 8 MiB, buffer-pool-per-peer = 4 MiB }
      millrace.regions { counts = [16, 8], grant-budget = 512 KiB }
      millrace.events { log = off, jfr = off }
      """;

  private static final String DRIVEN =
      """
      millrace.workers { idle-strategy = CALLER_RUNS, receive-limit = 16, submission-depth = 1024 }
      millrace.nic.connected-sockets = 0
      millrace.transfers { buffer-pool = 1 MiB, buffer-pool-per-peer = 1 MiB }
      """;

  /** A node with a bandwidth runs code that a node without does not run. */
  private static final String BOUNDED =
      """
      millrace.nic { bandwidth = "10 Gbit/s", queue = 1 MiB }
      """;

  private final TransportSettings node;
  private final String common;

  private WarmUpSettings(TransportSettings node, String common) {
    this.node = node;
    this.common = common;
  }

  /**
   * Derives the settings from those of the warmed node.
   *
   * @param driver the name of the node's driver; another driver than UDP is warmed by UDP
   * @param random draws the secret of the nodes
   */
  public static WarmUpSettings of(TransportSettings node, String driver, RandomGenerator random) {
    StringBuilder secret = new StringBuilder();
    for (int i = 0; i < SECRET_BYTES; i++) {
      secret.append("%02x".formatted(random.nextInt(1 << Byte.SIZE)));
    }
    String common =
        SMALL.formatted(
            secret,
            driver.startsWith(LINUX_DRIVER) ? driver : LINUX_DRIVER,
            node.nic().maxDatagramBytes(),
            node.recovery().controller());
    return new WarmUpSettings(node, common);
  }

  /** The defaults alone lie below: a node's own addresses or NICs must not come in. */
  private TransportSettings merged(String overrides) {
    Config defaults = ConfigFactory.defaultReference(Loaders.ofApplication());
    TransportSettings small =
        TransportSettings.from(
            ConfigFactory.parseString(common + overrides).withFallback(defaults).resolve());
    return new TransportSettings(
        small.handshake(),
        small.workers(),
        small.nic(),
        small.limits(),
        small.recovery(),
        node.crypto(),
        node.scheduler(),
        small.transfers(),
        small.regions(),
        small.streams());
  }

  /** Whether the warmed node has a bandwidth. */
  public boolean isNodeBounded() {
    List<NicEntry> nics = node.nic().places().nics();
    return nics.isEmpty()
        ? node.nic().rates().link().isKnown()
        : nics.stream().anyMatch(nic -> nic.rates().link().isKnown());
  }

  /** The settings of the node with a worker of its own. */
  public TransportSettings threaded(boolean isBounded) {
    return merged(isBounded ? BOUNDED : "");
  }

  /** The settings of the nodes that the warm-up drives itself. */
  public TransportSettings driven(boolean isBounded) {
    return merged(isBounded ? DRIVEN + BOUNDED : DRIVEN);
  }
}
