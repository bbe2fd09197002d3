package io.millrace.samples.cli;

import com.typesafe.config.Config;
import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import io.millrace.driver.DriverProvider;
import io.millrace.samples.top.PrometheusEndpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of a command with a node that listens at a given address, or calls another node. */
final class NetworkOptions {
  private static final String NIC_ADDRESS = "millrace.nic.address";
  private static final String HANDSHAKE_LISTEN = "millrace.handshake.listen";

  @Mixin private NodeOptions node = new NodeOptions();
  @Mixin private HandshakeOptions handshake = new HandshakeOptions();

  /**
   * Returns the settings of a node with a given handshake address.
   *
   * @param argument the name of the argument in error messages
   * @param address {@code host:port}
   */
  TransportSettings listening(String argument, String address, Screen screen) {
    String nicAddress = LocalAddress.anyPort(LocalAddress.parse(argument, address));
    Map<String, String> chosen = new LinkedHashMap<>(handshake.chosen());
    chosen.put(HANDSHAKE_LISTEN, address);
    return settings(Map.of(NIC_ADDRESS, nicAddress), chosen, screen);
  }

  /**
   * Returns the settings of a node that calls from this local address, see {@link
   * LocalAddress#toward}.
   */
  TransportSettings calling(String local, Screen screen) {
    return settings(
        Map.of(NIC_ADDRESS, local, HANDSHAKE_LISTEN, local), handshake.chosen(), screen);
  }

  /** Returns the driver of {@code --driver}, which may not work here. */
  DriverProvider driver() {
    return node.driver();
  }

  /** Returns the address of the NIC that the user has chosen, or the loopback address. */
  InetSocketAddress address() {
    return LocalAddress.parse(NIC_ADDRESS, node.chosen(NIC_ADDRESS, "127.0.0.1:0"));
  }

  private TransportSettings settings(
      Map<String, String> preferences, Map<String, String> chosen, Screen screen) {
    Config overrides = node.overrides(preferences, chosen);
    return NodeOptions.settings(handshake.with(overrides, screen));
  }

  /** The options of a command with a node that listens at the address of {@code --listen}. */
  static final class Listening {
    @Mixin private NetworkOptions network = new NetworkOptions();

    @Option(
        names = "--listen",
        required = true,
        paramLabel = "HOST:PORT",
        description = "The handshake address; port 0 lets the system choose.")
    private String listen = "";

    TransportSettings settings(Screen screen) {
      return network.listening("--listen", listen, screen);
    }
  }

  /** The option of a command with a node that can be watched from outside. */
  static final class Metrics {
    @Option(
        names = "--metrics",
        paramLabel = "HOST:PORT",
        description =
            "Serve metrics at this address, path /metrics, for Prometheus and 'millrace top'; port"
                + " 0 lets the system choose. Off unless given.")
    private @Nullable String address;

    /**
     * Serves metrics, if wanted, and prints the address.
     *
     * @throws CommandException if nothing can listen at the address
     */
    Watching open(Subcommand command) {
      if (address == null) {
        return new Watching(null);
      }
      InetSocketAddress at = LocalAddress.parse("--metrics", address);
      try {
        PrometheusEndpoint endpoint = PrometheusEndpoint.open(at);
        command.screen().err().println("metrics at http://" + endpoint.address() + "/metrics");
        return new Watching(endpoint);
      } catch (IOException e) {
        throw CommandException.badArgument(
            "--metrics: cannot listen at " + address + ": " + e.getMessage());
      }
    }
  }

  /** Starts nodes, with metrics if wanted. Closed after the nodes. */
  record Watching(@Nullable PrometheusEndpoint endpoint) implements AutoCloseable {
    Transport start(Transport.Builder builder) {
      return endpoint == null ? builder.start() : endpoint.start(builder);
    }

    @Override
    public void close() {
      if (endpoint != null) {
        endpoint.close();
      }
    }
  }
}
