package io.millrace.samples.cli;

import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import io.millrace.samples.store.ClaimOrder;
import io.millrace.samples.store.ClusteredCoordinator;
import io.millrace.samples.store.Coordinator;
import io.millrace.samples.store.CoordinatorSettings;
import io.millrace.samples.store.Daemon;
import io.millrace.samples.store.DaemonSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The tensor store: its two servers; {@link StoreClients} has the commands of users. */
@Command(
    name = "store",
    description = {
      "A tensor store: a coordinator knows the holders of artifacts, daemons hold the bytes.",
      "put, get and ls are for users. See docs/samples/store.md."
    },
    synopsisSubcommandLabel = "COMMAND")
final class StoreCommand extends CommandGroup {
  private StoreCommand() {}

  /** Returns the command with its subcommands. */
  static CommandLine commandLine(Screen screen) {
    return new CommandLine(new StoreCommand())
        .addSubcommand(new CoordinatorServer(screen))
        .addSubcommand(new DaemonServer(screen))
        .addSubcommand(new StoreClients.Put(screen))
        .addSubcommand(new StoreClients.Get(screen))
        .addSubcommand(new StoreClients.Listing(screen));
  }

  /** A node that serves until a signal comes. */
  private abstract static class Server extends Subcommand {
    @Mixin private NetworkOptions.Listening listen = new NetworkOptions.Listening();
    @Mixin private NetworkOptions.Metrics metrics = new NetworkOptions.Metrics();

    Server(Screen screen) {
      super(screen);
    }

    @Override
    public final Integer call() throws Exception {
      TransportSettings settings = listen.settings(screen());
      Map<String, Object> report = new LinkedHashMap<>();
      try (StopSignal stop = StopSignal.install();
          NetworkOptions.Watching watching = metrics.open(this);
          Transport transport = watching.start(Transport.builder(settings));
          AutoCloseable served = serve(transport)) {
        String driver = transport.snapshot().driver();
        printAtOnce("listening on " + transport.address() + " (driver " + driver + ")");
        await(stop, served);
        report.put("address", transport.address());
        report.putAll(NodeFacts.report(transport.snapshot()));
      }
      if (isJson()) {
        JsonLine.print(screen().out(), report);
      }
      return ExitCode.DONE;
    }

    void await(StopSignal stop, AutoCloseable served) {
      stop.await();
    }

    abstract AutoCloseable serve(Transport transport) throws IOException, InterruptedException;
  }

  /** Runs a coordinator, which knows the holders of all artifacts. */
  @Command(
      name = "coordinator",
      description = {
        "Knows the holders of artifacts and hands out claims, until SIGTERM or SIGINT.",
        "Sees no payload. Another coordinator with the same database can take its place."
      })
  private static final class CoordinatorServer extends Server {
    @Option(
        names = "--database",
        paramLabel = "URL",
        defaultValue = "jdbc:h2:mem:store;DB_CLOSE_DELAY=-1",
        description = {
          "JDBC URL: jdbc:h2:FILE, embedded, or jdbc:postgresql://HOST/NAME?user=USER.",
          "Default: ${DEFAULT-VALUE}, lost at the end of the process."
        })
    private String database = "";

    @Option(
        names = "--order",
        paramLabel = "NAME",
        defaultValue = "KIND_THEN_LIMIT",
        description = "The order in which sources are claimed: ${COMPLETION-CANDIDATES}.")
    private ClaimOrder order = ClaimOrder.KIND_THEN_LIMIT;

    @Option(
        names = "--lease",
        paramLabel = "SECONDS",
        defaultValue = "10",
        description = "Lifetime of a silent daemon's claim. Default: ${DEFAULT-VALUE}.")
    private int leaseSeconds;

    @Option(
        names = "--cluster",
        split = ",",
        paramLabel = "HOST:PORT",
        description = {
          "Pekko Cluster addresses of all coordinators, in the same order at each. One coordinator",
          "serves; at its end another coordinator takes over. All coordinators share a database."
        })
    private List<String> cluster = new ArrayList<>();

    @Option(
        names = "--id",
        paramLabel = "N",
        defaultValue = "0",
        description = "Place of this coordinator in --cluster, from 0. Default: ${DEFAULT-VALUE}.")
    private int self;

    CoordinatorServer(Screen screen) {
      super(screen);
    }

    @Override
    AutoCloseable serve(Transport transport) {
      if (leaseSeconds < 1) {
        throw CommandException.badArgument("--lease must be 1 or more, not " + leaseSeconds);
      }
      Duration lease = Duration.ofSeconds(leaseSeconds);
      CoordinatorSettings usual = CoordinatorSettings.of(database);
      CoordinatorSettings settings =
          new CoordinatorSettings(database, order, lease, usual.heartbeatLimit());
      if (!cluster.isEmpty()) {
        return join(transport, settings);
      }
      try {
        return Coordinator.serve(transport, settings, InstantSource.system());
      } catch (SQLException e) {
        throw CommandException.badArgument("--database: " + Sentence.of(e));
      }
    }

    private AutoCloseable join(Transport transport, CoordinatorSettings settings) {
      LocalAddress.list("--cluster", cluster);
      if (self < 0 || self >= cluster.size()) {
        throw CommandException.badArgument("--id: --cluster has no address " + self);
      }
      if (database.startsWith("jdbc:h2:mem:")) {
        throw CommandException.badArgument(
            "--cluster needs a --database that all coordinators share, not one in memory");
      }
      return ClusteredCoordinator.join(self, cluster, transport, settings, InstantSource.system());
    }

    /** Ends also when the cluster has removed this coordinator. */
    @Override
    void await(StopSignal stop, AutoCloseable served) {
      if (!(served instanceof ClusteredCoordinator clustered)) {
        stop.await();
        return;
      }
      stop.awaitOr(clustered.left());
      if (!stop.hasCome()) {
        throw CommandException.failed("the cluster has removed this coordinator: start it again");
      }
    }
  }

  /** Holds replicas. */
  @Command(
      name = "daemon",
      description = "Holds replicas and serves their bytes until SIGTERM or SIGINT.")
  private static final class DaemonServer extends Server {
    private static final long MIB = 1 << 20;

    @Mixin
    private StoreClients.CoordinatorOption coordinator = new StoreClients.CoordinatorOption();

    @Option(
        names = "--dir",
        required = true,
        paramLabel = "DIR",
        description = "The folder for artifacts put here. The folder outlives the process.")
    private Path folder = Path.of("");

    @Option(
        names = "--origins",
        paramLabel = "DIR",
        description = "A folder with files named by content id: the last source of a load.")
    private @Nullable Path origins;

    @Option(
        names = "--memory",
        paramLabel = "MIB",
        defaultValue = "1024",
        description = "Memory for replicas. Default: ${DEFAULT-VALUE}.")
    private long memoryMib;

    @Option(
        names = "--readers",
        paramLabel = "N",
        defaultValue = "2",
        description = "Daemons that may read a replica at once. Default: ${DEFAULT-VALUE}.")
    private int readers;

    DaemonServer(Screen screen) {
      super(screen);
    }

    @Override
    AutoCloseable serve(Transport transport) throws IOException, InterruptedException {
      if (readers < 1 || memoryMib < 0 || memoryMib > Long.MAX_VALUE / MIB) {
        throw CommandException.badArgument(
            "--readers must be 1 or more, --memory 0 or more, not "
                + readers
                + " and "
                + memoryMib);
      }
      DaemonSettings settings =
          DaemonSettings.in(folder)
              .withOrigins(origins)
              .withMemoryBytes(memoryMib * MIB)
              .withMaxConcurrency(readers);
      return Daemon.serve(transport, settings, coordinator.addresses());
    }
  }
}
