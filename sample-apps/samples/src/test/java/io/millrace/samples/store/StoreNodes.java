package io.millrace.samples.store;

import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import io.millrace.samples.store.StoreRoutes.Materialize;
import io.millrace.samples.store.StoreRoutes.Result;
import io.millrace.transfer.BodySource;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A coordinator and daemons, each a node of its own over real sockets. */
abstract class StoreNodes {
  static final String SETTINGS =
      """
      millrace.handshake { provider = psk, psk = "%s" }
      millrace.nic.driver = udp-nio
      millrace.transfers { buffer-pool = 16 MiB, broadcast-pool = 1 MiB }
      millrace.recovery { probe-period = 5 s, fail-after = 10 s, unanswered-probes = 100 }
      millrace.regions.counts = [32, 24]
      """
          .formatted("0123456789abcdef".repeat(4));

  static final long MIB = 1 << 20;

  @TempDir Path folder;
  final List<AutoCloseable> opened = new ArrayList<>();
  final List<Node> nodes = new ArrayList<>();
  Transport atCoordinator;
  Transport atClient;
  Coordinator coordinator;

  record Node(Transport transport, Daemon daemon, Path files) {}

  static Transport transport() {
    return Transport.start(TransportSettings.parse(SETTINGS));
  }

  @BeforeEach
  void begin() throws Exception {
    atCoordinator = transport();
    opened.add(atCoordinator);
    coordinator =
        Coordinator.serve(
            atCoordinator, CoordinatorSettings.of(TestDatabase.h2().url()), InstantSource.system());
    opened.add(coordinator);
    atClient = transport();
    opened.add(atClient);
  }

  @AfterEach
  void end() throws Exception {
    for (AutoCloseable each : opened.reversed()) {
      each.close();
    }
  }

  final String coordinatorAddress() {
    return atCoordinator.address();
  }

  final Node daemon(UnaryOperator<DaemonSettings> chosen) throws Exception {
    Transport transport = transport();
    opened.add(transport);
    Path files = folder.resolve("daemon" + nodes.size());
    DaemonSettings settings =
        chosen.apply(
            DaemonSettings.in(files)
                .withChunkBytes((int) MIB)
                .withSourceTimeout(Duration.ofSeconds(10)));
    Daemon daemon = Daemon.serve(transport, settings, List.of(coordinatorAddress()));
    opened.add(daemon);
    Node node = new Node(transport, daemon, files);
    nodes.add(node);
    return node;
  }

  final Node daemon() throws Exception {
    return daemon(settings -> settings);
  }

  final String put(Node at, String key, BodySource source) {
    return StoreClient.put(atClient, at.transport().address(), key, source).join();
  }

  static Result load(Node at, String artifact, MemoryKind kind) throws Exception {
    return at.daemon()
        .materialize(new Materialize(artifact, kind, LoadMode.AUTO))
        .get(50, TimeUnit.SECONDS);
  }

  final CoordinatorClient client() {
    return new CoordinatorClient(atClient, List.of(coordinatorAddress()));
  }
}
