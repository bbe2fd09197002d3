package io.millrace.samples.log.bench;

import io.millrace.api.Transport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorSystem;

/**
 * A replicated log that takes part in {@code millrace log bench}.
 *
 * @param name in reports
 * @param terms the way in which the log forces commits, and whether its network is encrypted, in
 *     one line
 * @param starter starts its replicas, each a process of this machine
 */
public record BenchedLog(String name, String terms, Starter starter) {
  /**
   * Returns all logs, this project's first, then the logs of {@link Others} on the class path.
   *
   * @param main the class whose {@code main} is this project's command line
   * @param client starts the node of a client of this project's replicas
   */
  public static List<BenchedLog> all(
      String main, BiFunction<List<String>, ActorSystem<Void>, Transport> client) {
    BenchedLog own =
        new BenchedLog(
            "millrace",
            MillraceLog.TERMS,
            (count, directory) -> MillraceLog.start(count, directory, main, client));
    return Stream.concat(
            Stream.of(own),
            ServiceLoader.load(Others.class).stream().flatMap(found -> found.get().logs().stream()))
        .toList();
  }

  /** Logs of another module, which provides them to {@link ServiceLoader}. */
  public interface Others {
    /** Returns the logs. */
    List<BenchedLog> logs();
  }

  /** Starts replicas. */
  @FunctionalInterface
  public interface Starter {
    /**
     * Returns when a replica leads.
     *
     * @param directory the place of the replicas' forced files
     * @throws IOException if the replicas do not run, with their output; no replica is left then
     */
    RunningLog start(int replicas, Path directory) throws IOException, InterruptedException;
  }
}
