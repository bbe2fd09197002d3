package io.millrace.api;

import io.millrace.config.LimitSettings;
import io.millrace.ends.ExecutorLane;
import io.millrace.engine.NodeEnvironment;
import io.millrace.engine.TransportPool;
import io.millrace.loop.BlockingRefusedException;
import io.millrace.node.TransportException;
import io.millrace.wait.EndWait;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.stream.Materializer;
import org.jspecify.annotations.Nullable;

/**
 * The executors of one node, for all tasks outside its workers. Handlers run on the application's
 * executor, or on an executor of the node. Completions and bodies run there, too, but never behind
 * handlers. Tasks that wait for devices run on threads of their own.
 */
final class NodeExecutors implements AutoCloseable {
  private static final long HANDLERS_END_NS = TimeUnit.SECONDS.toNanos(3);
  private static final long DEVICES_END_NS = TimeUnit.SECONDS.toNanos(2);

  private final ExecutorLane lane;
  private final List<ExecutorService> own;
  private final ExecutorService devices;

  private NodeExecutors(ExecutorLane lane, List<ExecutorService> own, ExecutorService devices) {
    this.lane = lane;
    this.own = own;
    this.devices = devices;
  }

  /**
   * Returns the executors of a node.
   *
   * @param given the application's executor, which the node does not shut down, or null
   * @param parallelism the number of handlers that run at once, and of other tasks, except tasks
   *     that wait for devices
   */
  static NodeExecutors of(
      @Nullable Executor given,
      int parallelism,
      NodeEnvironment environment,
      LimitSettings limits) {
    ExecutorService devices = environment.newDeviceExecutor(limits.deviceThreads());
    Executor lastResort = environment.lastResort();
    int queue = limits.executorQueue();
    ExecutorLane deviceLane = new ExecutorLane(devices, queue, limits.deviceThreads(), lastResort);
    List<ExecutorService> own = List.of();
    Executor handlers = given;
    Executor others = given;
    ExecutorLane.Threads threads = ExecutorLane.Threads.fixed(parallelism);
    if (handlers == null || others == null) {
      own =
          List.of(
              environment.newGrowingExecutor("app", parallelism),
              environment.newGrowingExecutor("completion", parallelism));
      handlers = own.getFirst();
      others = own.getLast();
      threads = ExecutorLane.Threads.growing(parallelism);
    }
    ExecutorLane requests =
        new ExecutorLane(
            handlers, queue, threads, lastResort, null, null, limits.waiting().admissionMinimum());
    ExecutorLane lane = new ExecutorLane(others, queue, threads, lastResort, deviceLane, requests);
    return new NodeExecutors(lane, own, devices);
  }

  /**
   * The materializer of the node, owned by an actor of the node: the streams of the materializer
   * end with the actor. Counts the open streams of transfers, in each materializer. Any thread.
   */
  static final class Streams implements TransportPool.CloseListener {
    /** The longest wait of the close for stages of transfers, ns. */
    private static final long STAGES_NS = TimeUnit.SECONDS.toNanos(1);

    /** The time in which streams pass their ends on behind asynchronous boundaries. */
    private static final Duration GRACE = Duration.ofMillis(200);

    /** The longest wait for the end of the grace, ns. */
    private static final long GRACE_LIMIT_NS = TimeUnit.SECONDS.toNanos(1);

    private static final long START_LIMIT_NS = TimeUnit.SECONDS.toNanos(10);

    private final ActorSystem<?> system;
    private final NodeEnvironment environment;
    private final AtomicReference<@Nullable Started> started = new AtomicReference<>();
    private final AtomicInteger open = new AtomicInteger();
    private final CompletableFuture<Done> idle = new CompletableFuture<>();
    private volatile boolean isClosing;
    private volatile boolean isClosed;

    /** Whether streams of transfers were open when the close began, or have begun since. */
    private volatile boolean hadOpen;

    /** The commands of the actor. */
    private enum Command {
      /** Stop after the grace. */
      CLOSE,
      /** Stop at once, with all streams of the materializer. */
      STOP
    }

    private record Started(
        ActorRef<Command> owner,
        CompletableFuture<Materializer> materializer,
        CompletableFuture<Done> ended) {}

    Streams(ActorSystem<?> system, NodeEnvironment environment) {
      this.system = system;
      this.environment = environment;
    }

    /** A stage of a transfer has started. */
    void onStart() {
      open.incrementAndGet();
    }

    /** A stage of a transfer has stopped. */
    void onStop() {
      if (isClosing) {
        hadOpen = true;
      }
      if (open.decrementAndGet() == 0 && isClosed) {
        idle.complete(Done.getInstance());
      }
    }

    /**
     * Returns the materializer, which the first caller makes.
     *
     * @throws IllegalStateException if the node was closed, and no caller came before; for the
     *     first caller also on the thread of a worker, which must not wait
     */
    Materializer materializer() {
      Started known = started.get();
      if (known == null) {
        BlockingRefusedException.check();
        if (isClosed) {
          throw new IllegalStateException("the transport was closed");
        }
        Started own = start();
        known = started.compareAndExchange(null, own);
        if (known == null) {
          known = own;
          if (isClosed) {
            own.owner().tell(Command.STOP);
          }
        } else {
          own.owner().tell(Command.STOP);
        }
      }
      return await(known.materializer());
    }

    private Started start() {
      CompletableFuture<Materializer> ready = new CompletableFuture<>();
      CompletableFuture<Done> ended = new CompletableFuture<>();
      String name = "millrace-streams-" + environment.nextNodeNumber();
      return new Started(
          system.systemActorOf(owner(ready, ended), name, Props.empty()), ready, ended);
    }

    private static Behavior<Command> owner(
        CompletableFuture<Materializer> ready, CompletableFuture<Done> ended) {
      return Behaviors.setup(
          context -> {
            ready.complete(Materializer.createMaterializer(context));
            return Behaviors.withTimers(
                timers ->
                    Behaviors.receive(Command.class)
                        .onMessageEquals(Command.STOP, Behaviors::stopped)
                        .onMessageEquals(
                            Command.CLOSE,
                            () -> {
                              timers.startSingleTimer(Command.STOP, GRACE);
                              return Behaviors.same();
                            })
                        .onSignalEquals(
                            PostStop.instance(),
                            () -> {
                              ended.complete(Done.getInstance());
                              return Behaviors.same();
                            })
                        .build());
          });
    }

    private Materializer await(CompletableFuture<Materializer> ready) {
      try {
        if (!ready.isDone()) {
          BlockingRefusedException.check();
          environment.await(ready, START_LIMIT_NS);
        }
        return ready.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new TransportException("interrupted while the materializer was starting", e);
      } catch (ExecutionException | TimeoutException e) {
        throw new TransportException("the materializer did not start within 10 s", e);
      }
    }

    @Override
    public void onClosing() {
      isClosing = true;
      if (open.get() > 0) {
        hadOpen = true;
      }
    }

    /**
     * Waits until the streams of transfers have passed the ends on to the application, and stops
     * all other streams of the materializer. An actor system of the application goes on, so that
     * nobody waits for the grace there.
     */
    @Override
    public void onEnded(boolean isSystemOwned) {
      isClosed = true;
      boolean isBlocked = open.get() > 0 && !NodeEnvironment.awaitEnd(environment, idle, STAGES_NS);
      Started known = started.get();
      if (known == null) {
        return;
      }
      boolean isAtOnce = isSystemOwned && (isBlocked || !hadOpen);
      known.owner().tell(isAtOnce ? Command.STOP : Command.CLOSE);
      if (isSystemOwned && !isAtOnce) {
        var _ = NodeEnvironment.awaitEnd(environment, known.ended(), GRACE_LIMIT_NS);
      }
    }
  }

  /** The lane that takes the tasks. */
  ExecutorLane lane() {
    return lane;
  }

  /** Waits a few seconds at most for the running tasks. Idempotent. */
  @Override
  public void close() {
    devices.shutdown();
    own.forEach(ExecutorService::shutdown);
    // Tasks that still run by then go on by themselves.
    own.forEach(executor -> EndWait.await(executor, HANDLERS_END_NS));
    var _ = EndWait.await(devices, DEVICES_END_NS);
  }
}
