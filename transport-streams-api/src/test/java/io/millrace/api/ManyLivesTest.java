package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import com.typesafe.config.ConfigFactory;
import io.millrace.event.TransportEvents;
import io.millrace.node.DrainReport;
import io.millrace.testkit.Repetitions;
import io.millrace.wire.RouteId;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorRefWithCell;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Transports that start, work, drain and close again and again leave no resources in their process.
 */
@Timeout(300)
class ManyLivesTest {
  private static final RouteId ECHO = RouteId.of("echo");
  private static final int ROUNDS = Repetitions.times(20);

  /**
   * The number of first rounds, after which classes and libraries are loaded and all one-time
   * resources of a process exist.
   */
  private static final int FIRST_ROUNDS = 6;

  private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(30);
  private static final int PAYLOAD_BYTES = 200_000;

  /** The resources of a process that transports use. */
  private record Figures(Set<String> threads, Set<String> actors, long files, long directBytes) {
    private static Figures of(ActorSystem<?> system) {
      return new Figures(threadsOfNodes(), actorsOf(system), openFiles(), directMemory());
    }

    /** Returns the resources beyond the earlier figures; empty without additional resources. */
    private List<String> beyond(Figures before) {
      List<String> more = new ArrayList<>();
      threads.stream().filter(each -> !before.threads.contains(each)).forEach(more::add);
      actors.stream().filter(each -> !before.actors.contains(each)).forEach(more::add);
      if (files > before.files) {
        more.add(files - before.files + " files");
      }
      if (directBytes > before.directBytes) {
        more.add(directBytes - before.directBytes + " bytes of direct memory");
      }
      return more;
    }
  }

  private static Set<String> threadsOfNodes() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().contains("millrace"))
        .map(thread -> "thread " + thread.getName() + " " + thread.threadId())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> actorsOf(ActorSystem<?> system) {
    Set<String> found = new TreeSet<>();
    if (Adapter.toClassic(system) instanceof ExtendedActorSystem classic) {
      collect(classic.systemGuardian(), found);
      collect(classic.guardian(), found);
    }
    assertTrue(found.size() > 2, found::toString);
    return found;
  }

  private static void collect(ActorRef actor, Set<String> found) {
    found.add("actor " + actor.path().toStringWithoutAddress());
    if (actor instanceof ActorRefWithCell known) {
      CollectionConverters.asJava(known.underlying().childrenRefs().children())
          .forEach(child -> collect(child, found));
    }
  }

  private static long openFiles() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getOpenFileDescriptorCount()
        : 0;
  }

  private static long directMemory() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  private static Transport.Builder node(String driver) {
    return Transport.builder(TwoNodes.settings("millrace.nic.driver = " + driver));
  }

  /**
   * Runs one node in a system of its own and one node in the application's system: the nodes talk,
   * drain, and end.
   */
  private static void live(int round, ActorSystem<?> system) throws Exception {
    String driver = round % 2 == 0 ? "udp-nio" : "udp";
    try (Transport server = node(driver).system(system).start();
        Transport client = node(driver).start()) {
      Raw.serve(
          server,
          ECHO,
          call -> CompletableFuture.completedFuture(UnaryResponse.of(call.payload())));
      client.subscribe(new TransportEvents() {});
      byte[] payload = KnownBytes.of(round, PAYLOAD_BYTES);
      assertArrayEquals(
          payload,
          Raw.unary(client.peer(server.address()), ECHO, payload)
              .get(LIMIT_NS, TimeUnit.NANOSECONDS)
              .payload());
      for (Transport node : List.of(server, client)) {
        DrainReport left =
            node.drain(Duration.ofSeconds(20))
                .toCompletableFuture()
                .get(LIMIT_NS, TimeUnit.NANOSECONDS);
        assertTrue(left.isComplete(), left::toString);
      }
    }
  }

  /**
   * Returns the least rest, after the end of ending threads and the collection of unused memory.
   */
  private static List<String> beyond(Figures before, ActorSystem<?> system) {
    long endNs = System.nanoTime() + LIMIT_NS;
    List<String> more;
    do {
      System.gc();
      more = Figures.of(system).beyond(before);
    } while (!more.isEmpty() && System.nanoTime() < endNs);
    return more;
  }

  /** Returns the figures once they no longer grow without work. */
  private static Figures settled(ActorSystem<?> system) {
    Figures last = Figures.of(system);
    Figures next;
    do {
      next = last;
      System.gc();
      last = Figures.of(system);
    } while (!next.equals(last));
    return last;
  }

  @Test
  void shouldLeaveNothingAfterManyLives() throws Exception {
    ActorSystem<Void> system =
        ActorSystem.create(
            Behaviors.empty(),
            "lives",
            ConfigFactory.parseString("pekko.daemonic = on").withFallback(ConfigFactory.load()));
    try {
      for (int round = 0; round < FIRST_ROUNDS; round++) {
        live(round, system);
      }
      Figures before = settled(system);
      for (int round = 0; round < ROUNDS; round++) {
        live(round, system);
      }
      assertEquals(List.of(), beyond(before, system));
    } finally {
      system.terminate();
    }
  }
}
