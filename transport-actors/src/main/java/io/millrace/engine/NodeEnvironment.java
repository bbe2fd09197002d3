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
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.typed.ActorSystem;
import org.jspecify.annotations.Nullable;

/**
 * What a node takes from the world around it: randomness, threads, the network, and how to wait.
 * There are two: the process, and a simulated node. Nothing in a node draws, makes a thread or
 * blocks except through this; time it is told by its worker's loop. Control plane; any thread.
 */
public interface NodeEnvironment extends NodeWorld {
  /** The process that this runs in: secure randomness, real threads, UDP. */
  NodeEnvironment PROCESS = new ProcessEnvironment();

  /** A number for the names of one more node; none comes twice within one actor system. */
  int nextNodeNumber();

  /**
   * A source of randomness that secrets may be made of, safe on any thread.
   *
   * @param use what it is for, in one word; each use of a node asks once
   */
  RandomGenerator newRandom(String use);

  /** The ciphers that the settings choose from. */
  AeadProviders ciphers();

  /**
   * What authenticates peers.
   *
   * @param name which provider the settings choose; a simulated node has its own
   * @throws IllegalArgumentException with one clear sentence if it is unknown or unavailable
   */
  HandshakeProvider handshakes(String name);

  /** The actor system to live in, or null for one of the node's own. */
  @Nullable ActorSystem<?> system();

  /** The driver, or null for the one that the settings choose. */
  @Nullable DriverProvider driver();

  /** What is known of the network that a local address is in. */
  AddressNetwork networkOf(InetAddress local);

  /** Makes the timers of workers, which their loops tell the time. */
  TimingWheels wheels();

  /** The node's time, ns: what its loops go by. */
  long nowNs();

  /** Whether a subscriber to events is told where they happen, as part of the run. */
  boolean tellsEventsAtOnce();

  /**
   * As {@link #newExecutor}, where a thread that waits for a {@link
   * java.util.concurrent.CompletableFuture} is replaced by another one while it waits.
   *
   * @param use what it is for, in one word
   * @param threads that run at once, those included that wait in another way
   */
  ExecutorService newGrowingExecutor(String use, int threads);

  /**
   * As {@link #newExecutor}, for tasks that wait for devices: a thread that has nothing to do for
   * some time ends.
   */
  ExecutorService newDeviceExecutor(int threads);

  /** Notices what was dropped and not closed. */
  DropWatch drops();

  /** What is known of the machine at this moment; of a simulated one nothing is. */
  Machine machine();

  /** What the JVM was started with. */
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

  /** A node has started in this environment; it has no path yet. */
  void onStarted(TransportPool pool);
}
