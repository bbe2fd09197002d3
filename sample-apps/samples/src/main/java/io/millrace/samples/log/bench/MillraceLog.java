package io.millrace.samples.log.bench;

import com.typesafe.config.ConfigFactory;
import io.millrace.api.Transport;
import io.millrace.samples.log.core.Operation;
import io.millrace.samples.log.core.Result;
import io.millrace.samples.log.node.LogClient;
import io.millrace.samples.log.node.ReplicaNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.util.ByteString;

/** The log of this project. */
public final class MillraceLog implements RunningLog {
  /** The terms of a commit. */
  public static final String TERMS =
      "samples.log over Millrace, encrypted; each replica forces waiting entries at once, and a"
          + " majority has forced a commit";

  private static final String SYSTEM = "millrace-log-bench";
  private static final long ANSWER_SECONDS = 120;

  private final ReplicaProcesses replicas;
  private final ActorSystem<Void> system;
  private final Transport transport;
  private final List<LogClient> sessions = new ArrayList<>();

  private MillraceLog(
      ReplicaProcesses replicas,
      ActorSystem<Void> system,
      BiFunction<List<String>, ActorSystem<Void>, Transport> client) {
    this.replicas = replicas;
    this.system = system;
    transport = client.apply(replicas.members(), system);
  }

  /**
   * Starts replicas and a client.
   *
   * @param main the class whose {@code main} is the command line
   * @param client starts the client's node toward these replicas
   */
  static RunningLog start(
      int count,
      Path directory,
      String main,
      BiFunction<List<String>, ActorSystem<Void>, Transport> client)
      throws IOException {
    ReplicaProcesses replicas = ReplicaProcesses.start(count, directory, main, List.of());
    ActorSystem<Void> system =
        ActorSystem.create(
            Behaviors.empty(), SYSTEM, ReplicaNode.settings().withFallback(ConfigFactory.load()));
    try {
      return new MillraceLog(replicas, system, client);
    } catch (RuntimeException e) {
      system.terminate();
      replicas.close();
      throw e;
    }
  }

  @Override
  public void openSessions(int count) throws IOException, InterruptedException {
    while (sessions.size() < count) {
      LogClient session = LogClient.onWorkers(transport, system, replicas.members());
      try {
        session
            .execute(Operation.get(ByteString.fromString("key")))
            .get(ANSWER_SECONDS, TimeUnit.SECONDS);
      } catch (ExecutionException | TimeoutException e) {
        throw new IOException("no leader has answered", e);
      }
      sessions.add(session);
    }
  }

  @Override
  public CompletableFuture<?> put(int session, byte[] key, byte[] value) {
    Operation operation =
        Operation.put(ByteString.fromArrayUnsafe(key), ByteString.fromArrayUnsafe(value));
    return sessions.get(session).execute(operation).thenAccept(MillraceLog::check);
  }

  private static void check(Result result) {
    if (result.status() != Result.Status.DONE) {
      throw new IllegalStateException(result.status().name());
    }
  }

  /** The replica that answered the first session last. */
  @Override
  public ProcessHandle leader() {
    return replicas.process(sessions.getFirst().leader());
  }

  @Override
  public void close() {
    try (replicas) {
      transport.close();
    } finally {
      system.terminate();
    }
  }
}
