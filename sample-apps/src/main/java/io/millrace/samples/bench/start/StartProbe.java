package io.millrace.samples.bench.start;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.typesafe.config.ConfigFactory;
import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * The child of {@code bench start}: starts nodes one after the other in a fresh process and prints,
 * as one JSON object, what each took.
 */
final class StartProbe {
  /** Of the children's heaps, which are resident from the start: what is more is outside. */
  static final int HEAP_MIB = 1_024;

  private static final long REST_NS = TimeUnit.SECONDS.toNanos(12);

  /** In which actor system nodes live. */
  enum Kind {
    OWN,
    SHARED,
    IDLE
  }

  /**
   * What a child tells.
   *
   * @param nodes in the order of their starts
   * @param systems empty actor systems, each started after the node of its number
   * @param idleProcessor share of a core that all nodes took while nobody used them
   * @param idleWakeUps of all threads, a second; -1 where the system does not tell
   */
  record Told(
      List<StartRow> nodes, List<StartRow> systems, double idleProcessor, double idleWakeUps) {}

  private final Kind kind;
  private final TransportSettings settings;
  private final List<AutoCloseable> alive = new ArrayList<>();

  private StartProbe(Kind kind, String driver) {
    this.kind = kind;
    settings =
        TransportSettings.defaults()
            .withHandshakeAddress("127.0.0.1:0")
            .withPsk("5a".repeat(32))
            .withAddress("127.0.0.1:0")
            .withDriver(driver);
  }

  /** Arguments: the kind, how many nodes, for how many seconds they rest, and the driver. */
  public static void main(String[] args) throws IOException {
    // Threads of Pekko keep the process until it is told to end.
    StartProbe probe = new StartProbe(Kind.valueOf(args[0]), args[3]);
    Told told = probe.run(Integer.parseInt(args[1]), Long.parseLong(args[2]));
    System.out.println(new ObjectMapper().writeValueAsString(told));
    System.exit(probe.alive.isEmpty() ? 1 : 0);
  }

  private Told run(int count, long restS) throws IOException {
    List<StartRow> nodes = new ArrayList<>();
    List<StartRow> systems = new ArrayList<>();
    @Nullable ActorSystem<Void> shared = kind == Kind.OWN ? null : system("shared");
    for (int i = 1; i <= count; i++) {
      int number = i;
      nodes.add(timed("node " + i, () -> alive.add(node(shared))));
      if (kind == Kind.OWN) {
        systems.add(timed("actor system " + i, () -> alive.add(system("empty-" + number))));
      }
    }
    return restS == 0 ? new Told(nodes, systems, 0, 0) : rested(nodes, systems, restS);
  }

  private Transport node(@Nullable ActorSystem<Void> shared) {
    Transport.Builder builder = Transport.builder(settings);
    return shared == null ? builder.start() : builder.system(shared).start();
  }

  private static ActorSystem<Void> system(String name) {
    return ActorSystem.create(Behaviors.empty(), name, ConfigFactory.load());
  }

  private static StartRow timed(String what, Runnable start) throws IOException {
    long processor = StartedProcess.processorNs();
    long from = System.nanoTime();
    start.run();
    long wall = System.nanoTime() - from;
    return StartedProcess.row(what, wall, StartedProcess.processorNs() - processor);
  }

  private Told rested(List<StartRow> nodes, List<StartRow> systems, long restS) throws IOException {
    pause(REST_NS);
    long processor = StartedProcess.processorNs();
    long wakeUps = StartedProcess.wakeUps();
    pause(TimeUnit.SECONDS.toNanos(restS));
    double seconds = restS;
    double share = (StartedProcess.processorNs() - processor) / 1e9 / seconds;
    double woken = wakeUps < 0 ? -1 : (StartedProcess.wakeUps() - wakeUps) / seconds;
    return new Told(nodes, systems, share, woken);
  }

  private static void pause(long ns) {
    long until = System.nanoTime() + ns;
    for (long left = ns; left > 0; left = until - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
