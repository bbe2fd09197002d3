package io.millrace.samples.gossip;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import io.millrace.node.CallerLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Validators in this process, each a node of its own with an address of its own in 127.0.0.0/8.
 * Each class of latency has a network, so that entries of {@code millrace.peers} can name a class.
 * All nodes share a thread for their loops, and an executor.
 */
public final class LocalValidators implements AutoCloseable {
  private static final int EXECUTOR_THREADS = 2;
  private static final int SPINS = 200;
  private static final int YIELDS = 10;
  private static final long LEAST_REST_NS = TimeUnit.MICROSECONDS.toNanos(1);
  private static final long MOST_REST_NS = TimeUnit.MICROSECONDS.toNanos(50);

  /** Settings of small nodes, with loops run by the thread here. */
  private static final Config SMALL =
      ConfigFactory.parseString(
          """
          millrace.workers { count = 1, cores = [], idle-strategy = CALLER_RUNS }
          millrace.transfers { buffer-pool = 1 MiB, buffer-pool-per-peer = 1 MiB, broadcast-pool = 256 KiB }
          millrace.regions.counts = [2, 1]
          millrace.events.log = off
          """);

  private final List<Transport> nodes = new ArrayList<>();
  private final List<Validator> validators = new ArrayList<>();
  private final List<Leader.Seat> seats = new ArrayList<>();
  private final ExecutorService executor = Executors.newFixedThreadPool(EXECUTOR_THREADS);
  private final ActorSystem<Void> system =
      ActorSystem.create(Behaviors.empty(), "validators", ConfigFactory.load());
  private volatile boolean isClosed;
  private Thread thread = Thread.currentThread();

  private LocalValidators() {}

  /**
   * Starts this number of validators.
   *
   * @param settings the settings of all nodes, without the defaults; NICs and pins, which are the
   *     leader's, left aside
   * @param isLate whether each validator answers with the delay of its class
   * @param drivers the drivers to share out by class; if empty, all nodes have the driver of the
   *     settings
   * @throws io.millrace.node.TransportException if a node cannot be started: on systems where only
   *     127.0.0.1 is local, for example
   */
  public static LocalValidators start(
      int count, Config settings, boolean isLate, List<String> drivers) {
    LocalValidators all = new LocalValidators();
    try {
      Config common =
          SMALL
              .withFallback(settings.withoutPath("millrace.nics").withoutPath("millrace.peers"))
              .withFallback(ConfigFactory.load())
              .resolve();
      for (int i = 0; i < count; i++) {
        LatencyClass latency = LatencyClass.of(i, count);
        String address = latency.localHost(i) + ":0";
        Config own = drivers.isEmpty() ? common : withNic(common, address, latency.share(drivers));
        all.add(
            latency,
            TransportSettings.from(own).withHandshakeAddress(address).withAddress(address),
            isLate);
      }
      all.run();
      return all;
    } catch (RuntimeException e) {
      all.close();
      throw e;
    }
  }

  private static Config withNic(Config common, String address, List<String> drivers) {
    Map<String, Object> nic = Map.of("name", "own", "address", address, "driver", drivers);
    return common.withValue("millrace.nics", ConfigValueFactory.fromAnyRef(List.of(nic)));
  }

  private void add(LatencyClass latency, TransportSettings settings, boolean isLate) {
    Transport node =
        Transport.builder(settings).system(system).executor(executor, EXECUTOR_THREADS).start();
    nodes.add(node);
    validators.add(new Validator(node, isLate ? latency.delay() : Duration.ZERO).serve());
    seats.add(new Leader.Seat(node.address(), latency));
  }

  private void run() {
    thread = Thread.ofPlatform().daemon().name("validators").start(this::runLoops);
  }

  private void runLoops() {
    List<CallerLoop> loops = nodes.stream().flatMap(node -> node.callerLoops().stream()).toList();
    IdleStrategy idle = new BackoffIdleStrategy(SPINS, YIELDS, LEAST_REST_NS, MOST_REST_NS);
    while (!isClosed) {
      int work = 0;
      for (CallerLoop loop : loops) {
        work += loop.runTurn();
      }
      idle.idle(work);
    }
  }

  /** Returns the addresses and classes of the validators. */
  public List<Leader.Seat> seats() {
    return List.copyOf(seats);
  }

  /** Returns the counts of their drivers so far. */
  public VerbCounts verbs() {
    return nodes.stream().map(VerbCounts::of).reduce(VerbCounts.NONE, VerbCounts::plus);
  }

  /** Returns the number of votes without a confirmed arrival. */
  public long failedVotes() {
    return validators.stream().mapToLong(Validator::failedVotes).sum();
  }

  @Override
  public void close() {
    isClosed = true;
    if (thread != Thread.currentThread()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    nodes.parallelStream().forEach(Transport::close);
    executor.shutdownNow();
    system.terminate();
  }
}
