package io.millrace.samples.bench.start;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.typesafe.config.ConfigFactory;
import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import java.io.IOException;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The child of {@code bench start}: starts nodes one after another in a fresh process and prints,
 * as a JSON object, the cost of each start.
 */
final class StartProbe {
  /**
   * The size of the children's heaps, resident from the start: further resident memory is outside
   * the heap.
   */
  static final int HEAP_MIB = 1_024;

  /** The time for the work that the last start left behind. */
  static final long SETTLE_S = 12;

  /** The actor systems of the nodes. */
  enum Kind {
    OWN,
    SHARED,
    IDLE,
    LOAD
  }

  /** The longest time for a node after load to give memory back. */
  static final long GIVE_BACK_S = 60;

  private static final long LOOK_S = 5;

  /**
   * Growth outside the heap that counts as given back; the next constant is the growth of the live
   * heap.
   */
  private static final double KEPT_OUTSIDE_MIB = 20;

  private static final long KEPT_HEAP_KIB = 5 << 10;

  /**
   * The report of a child.
   *
   * @param nodes the costs of the nodes, in the order of their starts
   * @param systems the costs of empty actor systems, each started after the node with the same
   *     number
   * @param idleProcessor the share of a core that all nodes took at rest
   * @param idleWakeUps wake-ups of all threads in a second; {@link StartedProcess#UNKNOWN} where
   *     the system does not report wake-ups
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
    // A single thread begins logging; an actor system's threads would begin at once, with a
    // warning.
    var _ = LoggerFactory.getILoggerFactory();
    StartProbe probe = new StartProbe(Kind.valueOf(args[0]), args[3]);
    try {
      Told told = probe.run(Integer.parseInt(args[1]), Long.parseLong(args[2]));
      System.out.println(new ObjectMapper().writeValueAsString(told));
    } finally {
      // The nodes and systems live until here: the collector must not end a node.
      Reference.reachabilityFence(probe);
    }
    System.exit(0);
  }

  private Told run(int count, long restS) throws IOException {
    if (kind == Kind.LOAD) {
      return loaded(restS);
    }
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

  /** Rows of two nodes: connected, right after load, and at rest until the memory is back. */
  private Told loaded(long loadS) throws IOException {
    ActorSystem<Void> shared = system("shared");
    Transport client = node(shared);
    Transport server = node(shared);
    alive.addAll(List.of(client, server));
    StartLoad load = new StartLoad(client, server);
    load.connect();
    List<StartRow> rows = new ArrayList<>();
    rows.add(StartedProcess.row("connected", 0, 0));
    rows.add(timed("loaded", () -> System.err.printf("start: %,d bytes moved%n", load.run(loadS))));
    long fromNs = System.nanoTime();
    for (long s = 0; s < GIVE_BACK_S && !isBack(rows.getFirst(), rows.getLast()); s += LOOK_S) {
      pause(LOOK_S);
      rows.add(StartedProcess.row("rested", System.nanoTime() - fromNs, 0));
    }
    return new Told(rows, List.of(), 0, 0);
  }

  /** Whether a process has next to no more memory than at first. */
  static boolean isBack(StartRow first, StartRow now) {
    return now.outsideMib() - first.outsideMib() <= KEPT_OUTSIDE_MIB
        && now.heapKib() - first.heapKib() <= KEPT_HEAP_KIB;
  }

  private Told rested(List<StartRow> nodes, List<StartRow> systems, long restS) throws IOException {
    pause(SETTLE_S);
    long processor = StartedProcess.processorNs();
    long wakeUps = StartedProcess.wakeUps();
    pause(restS);
    double share = (StartedProcess.processorNs() - processor) / 1e9 / restS;
    double woken =
        wakeUps == StartedProcess.UNKNOWN
            ? StartedProcess.UNKNOWN
            : (double) (StartedProcess.wakeUps() - wakeUps) / restS;
    return new Told(nodes, systems, share, woken);
  }

  private static void pause(long seconds) {
    long untilNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (untilNs - System.nanoTime() > 0) {
      LockSupport.parkNanos(untilNs - System.nanoTime());
    }
  }
}
