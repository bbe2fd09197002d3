package io.millrace.samples.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Replicas in processes of their own, each of which is killed once and comes back. */
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
