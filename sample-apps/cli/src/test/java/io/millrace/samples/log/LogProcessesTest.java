package io.millrace.samples.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import io.millrace.samples.cli.Main;
import io.millrace.samples.log.bench.ReplicaProcesses;
import io.millrace.samples.log.check.Call;
import io.millrace.samples.log.check.Linearizability;
import io.millrace.samples.log.core.Operation;
import io.millrace.samples.log.core.Result;
import io.millrace.samples.log.node.LogClient;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Replicas in processes of their own; each replica is killed once and comes back. */
@Tag("soak")
@Timeout(300)
final class LogProcessesTest {
  private static final String KEY = "1f".repeat(32);
  private static final int REPLICAS = 3;
  private static final int CALLS_BETWEEN_KILLS = 40;
  private static final long PATIENCE_S = 60;

  @TempDir private Path directory;

  private final Queue<Call> history = new ConcurrentLinkedQueue<>();

  @Test
  void shouldBeLinearizableThoughEachReplicaIsKilled() throws Exception {
    Path psk = Files.writeString(directory.resolve("psk"), KEY);
    String main = Main.class.getName();
    ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "clients");
    TransportSettings settings =
        TransportSettings.parse(
            """
            millrace.handshake { provider = psk, psk = "%s", listen = "127.0.0.1:0" }
            millrace.nic.address = "127.0.0.1:0"
            """
                .formatted(KEY));
    try (ReplicaProcesses replicas =
            ReplicaProcesses.start(
                REPLICAS, directory, main, List.of("--psk-file", psk.toString()));
        Transport transport = Transport.builder(settings).system(system).start()) {
      List<LogClient> clients = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        clients.add(LogClient.of(transport, system, replicas.members()));
      }
      work(clients, 0);
      for (int killed = 0; killed < REPLICAS; killed++) {
        replicas.kill(killed);
        work(clients, killed + 1);
        replicas.restart(killed, main);
        work(clients, killed + 1);
      }
    } finally {
      system.terminate();
    }
    assertTrue(history.stream().allMatch(Call::isAnswered));
    assertEquals(Optional.empty(), Linearizability.violation(List.copyOf(history)));
  }

  /**
   * A replica dies and comes back while another replica is stopped for longer than the failure
   * detector waits. However the clusters fall apart then, all replicas are members of the same
   * cluster again.
   */
  @Test
  void shouldBeOneClusterAgainAfterADeathAndAPause() throws Exception {
    Path psk = Files.writeString(directory.resolve("psk"), KEY);
    String main = Main.class.getName();
    List<String> more = List.of("--psk-file", psk.toString());
    try (ReplicaProcesses replicas = ReplicaProcesses.start(REPLICAS, directory, main, more)) {
      awaitMembers(replicas, psk);
      replicas.kill(0);
      replicas.pause(1);
      replicas.restart(0, main);
      CountDownLatch never = new CountDownLatch(1);
      assertFalse(never.await(20, TimeUnit.SECONDS));
      replicas.resume(1);
      awaitMembers(replicas, psk);
      replicas.kill(2);
      assertEquals(0, command(replicas, psk, "put", "colour", "blue"));
    }
  }

  private static void awaitMembers(ReplicaProcesses replicas, Path psk) throws Exception {
    long startNs = System.nanoTime();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    boolean isWhole = false;
    while (!isWhole) {
      assertTrue(System.nanoTime() - startNs < TimeUnit.SECONDS.toNanos(150), out::toString);
      out.reset();
      List<String> args = arguments(replicas, psk, "status", "--json");
      Main.run(args, new PrintStream(out, true, UTF_8), System.err);
      isWhole = out.toString(UTF_8).split("\\[0,1,2\\]", -1).length == REPLICAS + 1;
    }
  }

  private static int command(ReplicaProcesses replicas, Path psk, String... command) {
    return Main.run(arguments(replicas, psk, command), System.out, System.err);
  }

  private static List<String> arguments(ReplicaProcesses replicas, Path psk, String... command) {
    List<String> all = new ArrayList<>(List.of("log"));
    all.addAll(List.of(command));
    all.addAll(List.of("--members", String.join(",", replicas.members())));
    all.addAll(List.of("--psk-file", psk.toString()));
    return all;
  }

  private void work(List<LogClient> clients, int round) throws Exception {
    for (int i = 0; i < CALLS_BETWEEN_KILLS; i++) {
      ByteString key = ByteString.fromString("k" + i % 2);
      Operation put = Operation.put(key, ByteString.fromString(round + "." + history.size()));
      var one = call("one", clients.get(0), put);
      var two = call("two", clients.get(1), Operation.get(key));
      one.get(PATIENCE_S, TimeUnit.SECONDS);
      two.get(PATIENCE_S, TimeUnit.SECONDS);
    }
  }

  private CompletableFuture<Result> call(String name, LogClient client, Operation operation) {
    long startNs = System.nanoTime();
    return client
        .execute(operation)
        .whenComplete(
            (result, failure) ->
                history.add(new Call(name, operation, startNs, System.nanoTime(), result)));
  }
}
