package io.millrace.engine;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import io.millrace.actor.PoolActor;
import io.millrace.actor.WorkerActor;
import io.millrace.actor.WorkerCommand;
import io.millrace.config.IdleStrategyKind;
import io.millrace.config.WorkerSettings;
import io.millrace.loop.DrivenLoop;
import io.millrace.loop.Machine;
import io.millrace.loop.WatchedLoop;
import io.millrace.loop.WorkerDispatchers;
import io.millrace.nic.NodeNics;
import io.millrace.node.TransportException;
import io.millrace.path.peer.HandshakePort;
import io.millrace.path.peer.NodeServices;
import io.millrace.path.peer.SubmissionPort;
import io.millrace.worker.WorkerDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.jspecify.annotations.Nullable;

/**
 * Starts the workers of a node, each on a dispatcher of its own, and waits until their endpoints
 * are open. Control plane.
 */
final class WorkerStarter {
  private static final long START_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);

  private final ActorSystem<?> system;
  private final ActorRef<PoolActor.Command> pool;
  private final NodeServices node;
  private final NodeNics nics;
  private final WorkerSettings settings;
  private final NodeEnvironment environment;

  /** Dispatcher ids are unique among the nodes that share an actor system or a process's log. */
  private final int nodeNumber;

  private final List<DrivenLoop> callerLoops = new ArrayList<>();
  private List<Integer> cores = List.of();
  private final List<String> dispatchers = new ArrayList<>();

  WorkerStarter(NodeSystem home, NodeServices node, NodeNics nics, NodeEnvironment environment) {
    this.system = home.system();
    this.pool = home.pool();
    this.environment = environment;
    this.nodeNumber = environment.nextNodeNumber();
    this.node = node;
    this.nics = nics;
    this.settings = node.settings().workers();
  }

  /** A started worker. */
  record Started(ActorRef<WorkerCommand> actor, WorkerDescription description) {}

  /** The loops that callers drive; empty unless the workers have no threads. */
  List<DrivenLoop> callerLoops() {
    return callerLoops;
  }

  /** The loop of each worker that runs, in their order; not of a simulated node. */
  List<WatchedLoop> watchedLoops() {
    return dispatchers.stream().map(id -> WorkerDispatchers.watchedLoop(system, id)).toList();
  }

  /**
   * Starts a worker for each port, in order.
   *
   * @throws TransportException if a worker cannot be started; the workers before are left to the
   *     caller
   */
  List<Started> start(List<SubmissionPort> ports, HandshakePort handshakes) {
    List<Started> started = new ArrayList<>();
    Machine machine = environment.machine();
    StartCheck.tell(node.settings(), machine, environment::jvmFlags, node.events());
    List<Integer> nearNodes =
        ports.stream()
            .map(port -> nics.of(port.worker()).entry().address().getAddress())
            .map(machine::nodeOf)
            .toList();
    cores = WorkerCores.choose(settings, nearNodes, machine, node.events());
    for (SubmissionPort port : ports) {
      started.add(startOne(port, handshakes));
    }
    return started;
  }

  private Started startOne(SubmissionPort port, HandshakePort handshakes) {
    int worker = port.worker();
    int core = cores.get(worker);
    String id = "millrace-" + nodeNumber + "-worker-" + worker;
    Config override =
        ConfigFactory.empty()
            .withValue(
                "idle-strategy", ConfigValueFactory.fromAnyRef(settings.idleStrategy().name()))
            .withValue("core", ConfigValueFactory.fromAnyRef(core));
    WorkerDispatchers.register(system, id, override);
    DrivenLoop loop = null;
    if (settings.idleStrategy() == IdleStrategyKind.CALLER_RUNS) {
      loop = WorkerDispatchers.callerLoop(system, id);
      callerLoops.add(loop);
    }
    CompletableFuture<ActorRef<WorkerCommand>> spawned = new CompletableFuture<>();
    long regionKeySeed = environment.newRandom("region-keys-" + worker).nextLong();
    CompletableFuture<WorkerDescription> opened = new CompletableFuture<>();
    pool.tell(
        new PoolActor.Command.StartWorker(
            WorkerActor.create(
                new WorkerActor.Node(node, nics),
                port,
                handshakes,
                environment.wheels(),
                regionKeySeed,
                opened),
            worker,
            id,
            spawned,
            reason -> onStopped(worker, opened, reason)));
    Started started = new Started(await(spawned, loop), await(opened, loop));
    dispatchers.add(id);
    return started;
  }

  /** A worker that never ran has told the reason at its start. */
  private void onStopped(int worker, CompletableFuture<WorkerDescription> opened, String reason) {
    if (opened.state() == Future.State.SUCCESS) {
      node.events().onWorkerStopped(worker, reason);
    }
  }

  private <T> T await(Future<T> future, @Nullable DrivenLoop loop) {
    if (loop != null) {
      loop.runUntil(future::isDone, loop.eventLoop().nowNs() + START_TIMEOUT_NS);
    }
    try {
      return environment.await(future, START_TIMEOUT_NS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new TransportException(String.valueOf(cause.getMessage()), cause);
    } catch (TimeoutException e) {
      throw new TransportException("a worker did not start within 30 s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TransportException("interrupted while a worker was starting", e);
    }
  }
}
