package io.millrace.testkit.internal.node;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.millrace.config.TransportSettings;

/**
 * Settings of transports in simulated nodes: the defaults of the profile {@code dedicated}, whose
 * short times let a scenario see every failure within seconds of virtual time, with memory and
 * queues so small that a node boots in a fraction of a millisecond and that a scenario reaches
 * every bound. Any thread.
 */
public final class SimTransportSettings {
  private static final String SMALL =
      """
      millrace {
        profile = dedicated
        handshake.provider = psk
        handshake.psk = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
        events.log = off
        workers { submission-depth = 64, wheel-slots = 1024 }
        nic { send-buffers = 16, max-train-packets = 16, max-datagram = 1472, connected-sockets = 4 }
        limits {
          peers = 64
          concurrent-transfers = 1024
          waiting-calls = 1024
          executor-queue = 1024
          inline-budget = 4 MiB
          inline-credit = 64 KiB
          answer-budget = 4 MiB
        }
        transfers { buffer-pool = 512 KiB, window = 256 KiB, message = 8 MiB, assembly = 16 MiB }
        regions { sizes = [64 KiB, 128 KiB], counts = [4, 2], grant-budget = 256 KiB, per-peer = 512 KiB }
      }
      """;

  /** Room for few calls at a time: thousands of such nodes fit into one heap. */
  private static final String OF_MANY =
      """
      millrace {
        workers { submission-depth = 16, wheel-slots = 64 }
        nic { send-buffers = 4, max-train-packets = 4 }
        limits { concurrent-transfers = 64, waiting-calls = 64, executor-queue = 64 }
        transfers { window = 64 KiB }
        regions { sizes = [64 KiB], counts = [1], grant-budget = 64 KiB, per-peer = 64 KiB }
      }
      """;

  /**
   * Read once, for all nodes. Actor systems of simulated nodes have class loaders of their own, and
   * the configuration library remembers only a single loader. Without this field the library would
   * read the defaults for each node.
   */
  private static final Config DEFAULTS =
      ConfigFactory.parseString(SMALL).withFallback(ConfigFactory.load()).resolve();

  private static final TransportSettings USUAL = TransportSettings.from(DEFAULTS);

  private SimTransportSettings() {}

  /** Returns settings for thousands of nodes; an idle node takes less than 1 MiB. */
  public static TransportSettings ofMany() {
    return parse(OF_MANY);
  }

  /**
   * Returns the small settings with these overrides in front.
   *
   * @throws io.millrace.config.SettingsException as {@link TransportSettings#from}
   */
  public static TransportSettings parse(String overrides) {
    return overrides.isEmpty()
        ? USUAL
        : TransportSettings.from(
            ConfigFactory.parseString(overrides).withFallback(DEFAULTS).resolve());
  }
}
