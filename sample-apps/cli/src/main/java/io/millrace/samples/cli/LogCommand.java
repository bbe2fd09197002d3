package io.millrace.samples.cli;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import io.millrace.samples.log.core.Operation;
import io.millrace.samples.log.core.Result;
import io.millrace.samples.log.disk.FileJournal;
import io.millrace.samples.log.node.ClusterLeadership;
import io.millrace.samples.log.node.Identities;
import io.millrace.samples.log.node.LogClient;
import io.millrace.samples.log.node.ReplicaNode;
import io.millrace.samples.log.node.ReplicaOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The sample: a replicated log of keys and values. */
@Command(
    name = "log",
    description = "A replicated key-value log: multi-paxos over Millrace. See docs/samples/log.md.",
    synopsisSubcommandLabel = "COMMAND")
final class LogCommand extends CommandGroup {
  /** The name of all actor systems here. */
  static final String SYSTEM = "millrace-log";

  private static final long END_SECONDS = 20;

  private LogCommand() {}

  /** Returns the command with its subcommands. */
  static CommandLine commandLine(Screen screen) {
    return new CommandLine(new LogCommand())
        .addSubcommand(new Serve(screen))
        .addSubcommand(new Put(screen))
        .addSubcommand(new Get(screen))
        .addSubcommand(new LogStatusCommand(screen))
        .addSubcommand(new LogBenchCommand(screen));
  }

  private static List<String> addresses(String option, String list) {
    return LocalAddress.list(option, List.of(list.split(",", -1)));
  }

  /** Runs a replica until SIGTERM or SIGINT. */
  @Command(name = "serve", description = "Runs a replica of the log until SIGTERM or SIGINT.")
  static final class Serve extends Subcommand {
    @Mixin private NetworkOptions network = new NetworkOptions();
    @Mixin private NetworkOptions.Metrics metrics = new NetworkOptions.Metrics();

    @Option(
        names = "--id",
        required = true,
        paramLabel = "N",
        description = "The place of this replica among the members, from 0 on.")
    private int self;

    @Option(
        names = "--members",
        required = true,
        paramLabel = "HOST:PORT,...",
        description = "Handshake addresses of all replicas, the same list everywhere.")
    private String members = "";

    @Option(
        names = "--cluster",
        paramLabel = "HOST:PORT,...",
        description = {
          "Pekko Cluster addresses of all replicas, in the same order.",
          "The cluster detects dead replicas, and its oldest member leads.",
          "Without this option replica 0 always leads."
        })
    private @Nullable String cluster;

    @Option(
        names = "--dir",
        required = true,
        paramLabel = "DIR",
        description = "The directory of the replica's log.")
    private Path directory = Path.of("");

    @Option(
        names = "--replace",
        description = {
          "The directory is empty and takes the place of a lost directory. The replica takes part",
          "after learning the promises and accepted entries of all other replicas."
        })
    private boolean replace;

    private static final int LONGEST_WARM_UP_S = 3_600;

    @Option(
        names = "--warm-up",
        paramLabel = "SECONDS",
        description = {
          "Runs the code of a node ahead of the first operation, for so long at most (default 0:",
          "not at all)."
        })
    private int warmUpSeconds;

    /** The reason why the replica is no member any more. */
    private final AtomicReference<String> leaving =
        new AtomicReference<>("the cluster has removed the replica");

    Serve(Screen screen) {
      super(screen);
    }

    @Override
    public Integer call() throws IOException {
      List<String> all = addresses("--members", members);
      if (self < 0 || self >= all.size()) {
        throw CommandException.badArgument("--id: there is no member " + self);
      }
      List<String> others = cluster == null ? List.of() : addresses("--cluster", cluster);
      if (cluster != null && others.size() != all.size()) {
        throw CommandException.badArgument("--cluster must name as many as --members");
      }
      if (warmUpSeconds < 0 || warmUpSeconds > LONGEST_WARM_UP_S) {
        throw CommandException.badArgument("--warm-up must be 0 to " + LONGEST_WARM_UP_S);
      }
      String own = all.get(self);
      TransportSettings settings = network.listening("--members", own, screen());
      ReplicaOptions options = ReplicaOptions.of(self, all);
      try (StopSignal stop = StopSignal.install()) {
        serve(stop, settings, options, others);
        while (!stop.hasCome()) {
          if (others.isEmpty()) {
            throw CommandException.failed("the actor system of the replica has ended");
          }
          // A removed member can only join again as a new member.
          String reason = leaving.getAndSet("the cluster has removed the replica");
          printAtOnce("replica " + self + " leaves the cluster and joins again: " + reason);
          serve(stop, settings, options, others);
        }
      }
      if (isJson()) {
        JsonLine.print(screen().out(), Map.of("address", own));
      }
      return ExitCode.DONE;
    }

    /** Serves until a signal comes, or the cluster has removed this replica. */
    private void serve(
        StopSignal stop, TransportSettings settings, ReplicaOptions options, List<String> cluster)
        throws IOException {
      Config own =
          cluster.isEmpty()
              ? ConfigFactory.empty()
              : ClusterLeadership.settings(SYSTEM, self, cluster);
      Config all =
          ConfigFactory.defaultOverrides()
              .withFallback(own)
              .withFallback(ReplicaNode.settings())
              .withFallback(ConfigFactory.load());
      ActorSystem<Void> system = actorSystem(SYSTEM, all.resolve());
      try (FileJournal journal = FileJournal.open(directory);
          NetworkOptions.Watching watching = metrics.open(this);
          Transport transport = watching.start(Transport.builder(settings).system(system))) {
        warm(stop, transport);
        if (!stop.hasCome()) {
          takePart(stop, transport, system, options, journal, cluster);
        }
      } finally {
        end(system);
      }
    }

    private void takePart(
        StopSignal stop,
        Transport transport,
        ActorSystem<Void> system,
        ReplicaOptions options,
        FileJournal journal,
        List<String> cluster)
        throws IOException {
      try (ReplicaNode replica = ReplicaNode.start(transport, system, options, storage(journal))) {
        if (cluster.isEmpty()) {
          replica.lead(0);
          serve(stop, transport, system, replica);
        } else {
          try (ClusterLeadership _ =
              ClusterLeadership.follow(system, self, cluster.size(), new Following(replica))) {
            serve(stop, transport, system, replica);
          }
        }
      }
    }

    /** Warms up once: a replica that joins again runs code that is warm already. */
    private void warm(StopSignal stop, Transport transport) {
      if (warmUpSeconds > 0) {
        CompletableFuture<String> line =
            transport
                .warmUp(Duration.ofSeconds(warmUpSeconds))
                .handle(
                    (report, failure) ->
                        report == null
                            ? "replica %d is not warm: %s".formatted(self, failure)
                            : "replica %d warm after %d ms"
                                .formatted(self, report.lasted().toMillis()))
                .toCompletableFuture();
        warmUpSeconds = 0;
        stop.awaitOr(line);
        printAtOnce(line.getNow("replica " + self + " is not warm: a signal came"));
      }
    }

    private void serve(
        StopSignal stop, Transport transport, ActorSystem<Void> system, ReplicaNode replica) {
      printAtOnce("replica " + self + " listening on " + transport.address());
      CompletableFuture<Throwable> diskFailure = replica.diskFailure();
      CompletableFuture<String> refusal = replica.refusal();
      stop.awaitOr(
          CompletableFuture.anyOf(
              system.getWhenTerminated().toCompletableFuture(), diskFailure, refusal));
      String refused = refusal.getNow("");
      if (!refused.isEmpty() && !stop.hasCome()) {
        throw CommandException.badArgument("--dir " + directory + ": " + refused);
      }
      Throwable cause = diskFailure.getNow(null);
      if (cause != null && !stop.hasCome()) {
        // The content of the disk is unknown; by its end, the replica leaves the cluster.
        throw CommandException.failed(
            "replica %d takes no part any more: its disk failed (%s). Start it again"
                .formatted(self, Sentence.of(cause)));
      }
    }

    private ReplicaNode.Storage storage(FileJournal journal) throws IOException {
      boolean isEmpty =
          journal.recovered().checkpoint().isEmpty() && journal.recovered().records().isEmpty();
      return new ReplicaNode.Storage(journal, Identities.open(directory, isEmpty), replace);
    }

    /** Tells the replica the news of the cluster. */
    private final class Following implements ClusterLeadership.Listener {
      private final ReplicaNode replica;

      Following(ReplicaNode replica) {
        this.replica = replica;
      }

      @Override
      public void onLeader(int leader) {
        replica.lead(leader);
      }

      @Override
      public void onMembers(SortedSet<Integer> replicas) {
        replica.onMembers(replicas);
      }

      @Override
      public void onLeaving(String reason) {
        leaving.set(reason);
      }
    }

    /** Leaves the cluster, so that another replica leads at once. */
    private void end(ActorSystem<Void> system) {
      system.terminate();
      try {
        system.getWhenTerminated().toCompletableFuture().get(END_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (ExecutionException | TimeoutException e) {
        // The reason of the replica's end is reported already; a late end is only a warning.
        screen().err().println("the actor system has not ended within " + END_SECONDS + " s");
      }
    }
  }

  /** A command that calls the replicas. */
  abstract static class Client extends Subcommand {
    @Mixin private NetworkOptions network = new NetworkOptions();

    Client(Screen screen) {
      super(screen);
    }

    /** Starts a node toward the first member with a known host. */
    final Transport transport(List<String> members, ActorSystem<Void> system) {
      String local = LocalAddress.towardFirst("--members", members);
      return Transport.builder(network.calling(local, screen())).system(system).start();
    }
  }

  /** A command that has the replicas execute an operation. */
  abstract static class OfOneOperation extends Client {
    private static final long PATIENCE_SECONDS = 30;

    @Option(
        names = "--members",
        required = true,
        paramLabel = "HOST:PORT,...",
        description = "Handshake addresses of all replicas.")
    private String memberList = "";

    OfOneOperation(Screen screen) {
      super(screen);
    }

    final Result execute(Operation operation) throws InterruptedException, ExecutionException {
      List<String> members = addresses("--members", memberList);
      ActorSystem<Void> system = actorSystem(SYSTEM, ConfigFactory.load());
      try (Transport transport = transport(members, system)) {
        return LogClient.of(transport, system, members)
            .execute(operation)
            .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        throw CommandException.failed("no leader answered within " + PATIENCE_SECONDS + " s");
      } finally {
        system.terminate();
      }
    }

    final void print(String key, Result result) {
      String value = result.value().utf8String();
      if (isJson()) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("key", key);
        report.put("status", result.status().name());
        report.put("value", value);
        report.put("found", !value.isEmpty());
        JsonLine.print(screen().out(), report);
      } else {
        screen().out().println(value.isEmpty() ? result.status().name() : value);
      }
    }
  }

  /** Stores a value. */
  @Command(name = "put", description = "Stores a value under a key.")
  static final class Put extends OfOneOperation {
    @Option(
        names = "--expect",
        paramLabel = "VALUE",
        description = "Store only if the key has this value now; an empty text means no value.")
    private @Nullable String expected;

    @Parameters(index = "0", paramLabel = "KEY")
    private String key = "";

    @Parameters(index = "1", paramLabel = "VALUE")
    private String value = "";

    Put(Screen screen) {
      super(screen);
    }

    @Override
    public Integer call() throws Exception {
      ByteString name = ByteString.fromString(key);
      ByteString bytes = ByteString.fromString(value);
      Result result =
          execute(
              expected == null
                  ? Operation.put(name, bytes)
                  : Operation.compareAndSet(name, ByteString.fromString(expected), bytes));
      print(key, result);
      return result.status() == Result.Status.DONE ? ExitCode.DONE : ExitCode.FAILED;
    }
  }

  /** Reads a value. */
  @Command(name = "get", description = "Reads the value of a key; ends 1 if the key has no value.")
  static final class Get extends OfOneOperation {
    @Parameters(index = "0", paramLabel = "KEY")
    private String key = "";

    Get(Screen screen) {
      super(screen);
    }

    @Override
    public Integer call() throws Exception {
      Result result = execute(Operation.get(ByteString.fromString(key)));
      boolean hasNoValue = result.status() == Result.Status.DONE && result.value().isEmpty();
      if (hasNoValue && !isJson()) {
        throw CommandException.failed("the key '" + key + "' has no value");
      }
      print(key, result);
      return result.value().isEmpty() ? ExitCode.FAILED : ExitCode.DONE;
    }
  }
}
