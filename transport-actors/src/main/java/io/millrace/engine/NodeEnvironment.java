package io.millrace.engine;

import io.millrace.buffer.DropWatch;
import io.millrace.config.WorkerSettings.WatchSettings;
import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.HandshakeProvider;
import io.millrace.driver.DriverProvider;
import io.millrace.event.TransportEvents;
import io.millrace.loop.Machine;
import io.millrace.loop.WatchedLoop;
import io.millrace.loop.watch.Watch;
import io.millrace.node.AddressNetwork;
import io.millrace.node.HangAction;
import io.millrace.node.NodeWorld;
import io.millrace.protocol.schedule.TimingWheels;
import io.millrace.wait.EndWait;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.typed.ActorSystem;
import org.jspecify.annotations.Nullable;

/**
 * The services that a node takes from the world around the node: randomness, threads, the network,
 * and the way to wait. Two environments exist: the process, and a simulated node. Nothing in a node
 * draws, makes a thread or blocks except through this environment; a node's time comes from its
 * worker's loop. Control plane; any thread.
 */
public interface NodeEnvironment extends NodeWorld {
  /** The process that this runs in: secure randomness, real threads, UDP. */
  NodeEnvironment PROCESS = new ProcessEnvironment();

  /** A number for the names of another node; no number comes twice within an actor system. */
  int nextNodeNumber();

  /**
   * A source of randomness for secrets, safe on any thread.
   *
   * @param use the purpose, in a single word; each use of a node asks once
   */
  RandomGenerator newRandom(String use);

  /** The ciphers that the settings choose from. */
  AeadProviders ciphers();

  /**
   * The provider that authenticates peers.
   *
   * @param name the provider that the settings choose; a simulated node has its own
   * @throws IllegalArgumentException with a clear sentence if the provider is unknown or
   *     unavailable
   */
  HandshakeProvider handshakes(String name);

  /** The actor system to live in, or null for a system of the node's own. */
  @Nullable ActorSystem<?> system();

  /** The driver, or null for the driver that the settings choose. */
  @Nullable DriverProvider driver();

  /** The known facts about the network of a local address. */
  AddressNetwork networkOf(InetAddress local);

  /**
   * A number that nodes of one host share, and no other nodes; 0 if the world does not tell. A host
   * is a set of addresses: each container with addresses of its own is a host.
   */
  long host();

  /** Makes the timers of workers, which their loops tell the time. */
  TimingWheels wheels();

  /** The node's time, ns: the time of its loops. */
  long nowNs();

  /**
   * Waits for a part of a node that ends. Goes on when the thread is interrupted: to end takes a
   * moment, and nothing is to be left. The thread is interrupted again at the end.
   *
   * @return whether the future has ended; false after {@code limitNs}
   */
  static boolean awaitEnd(NodeEnvironment environment, CompletableFuture<?> future, long limitNs) {
    return EndWait.await(
        environment::nowNs,
        limitNs,
        timeoutNs -> {
          try {
            environment.await(future, timeoutNs);
          } catch (ExecutionException | TimeoutException e) {
            return future.isDone();
          }
          return true;
        });
  }

  /** Whether a subscriber to events is told where they happen, as part of the run. */
  boolean tellsEventsAtOnce();

  /**
   * The words in front of each line that the node logs now: nothing in a process; the seed, the
   * virtual time and the node in a simulation.
   */
  String logMark();

  /**
   * As {@link #newExecutor}, but another thread replaces a thread while the thread waits for a
   * {@link java.util.concurrent.CompletableFuture}.
   *
   * @param use the purpose, in a single word
   * @param threads threads that run at once, including threads that wait in another way
   */
  ExecutorService newGrowingExecutor(String use, int threads);

  /**
   * As {@link #newExecutor}, for tasks that wait for devices: a thread without work for some time
   * ends.
   */
  ExecutorService newDeviceExecutor(int threads);

  /** Notices handles that were dropped and not closed. */
  DropWatch drops();

  /** The known facts about the machine at this moment; empty for a simulated machine. */
  Machine machine();

  /** The flags of the JVM's start. */
  List<String> jvmFlags();

  /**
   * Watches a node's loops until the answer is closed. A simulated node has no watchdog: virtual
   * time stands still while its code runs.
   *
   * @param loops gives the loops of real workers
   * @param settings after how long without progress a worker hangs; 0 watches nothing
   */
  Watch watch(
      Supplier<List<WatchedLoop>> loops,
      WatchSettings settings,
      TransportEvents events,
      HangAction action);

  /** A node has started in this environment; the node has no path yet. */
  void onStarted(TransportPool pool);
}
