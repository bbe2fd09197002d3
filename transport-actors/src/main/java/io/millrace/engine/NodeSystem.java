package io.millrace.engine;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.millrace.actor.PoolActor;
import io.millrace.loop.DrivenLoop;
import io.millrace.node.TransportException;
import io.millrace.provider.Loaders;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.slf4j.LoggerFactory;

/**
 * The actor system of a node's actors: the application's, or a system of the node's own that ends
 * with the node. Control plane.
 */
final class NodeSystem {
  private static final long CLOSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

  // Like the workers' threads; and a pool of Pekko's that is used once more after it was shut down
  // begins anew, and would keep the process for a minute. The system ends when the node is closed
  // and not by a hook of Pekko's. Such a hook would run ahead of a hook that closes the node, and
  // no peer would be told. The system's loggers start on threads of their own, which on a busy
  // machine wait long for a core. The system's scheduler wakes up for timers only, and not a
  // hundred times a second. The system has no remoting and no extensions, whatever the application
  // configures for systems of its own: a second system on the same ports would disturb the first.
  private static final Config OF_OWN_SYSTEM =
      ConfigFactory.parseString(
          "pekko { actor.provider = local, extensions = [], actor.typed.extensions = [], daemonic ="
              + " on, coordinated-shutdown.run-by-jvm-shutdown-hook = off, logger-startup-timeout ="
              + " 30 s, scheduler.implementation = \""
              + DeadlineScheduler.class.getName()
              + "\" }");

  private final ActorSystem<?> system;
  private final ActorRef<PoolActor.Command> pool;
  private final CompletableFuture<Done> poolEnded;
  private final boolean owned;
  private final NodeEnvironment environment;

  private NodeSystem(
      ActorSystem<?> system,
      ActorRef<PoolActor.Command> pool,
      CompletableFuture<Done> poolEnded,
      boolean owned,
      NodeEnvironment environment) {
    this.system = system;
    this.pool = pool;
    this.poolEnded = poolEnded;
    this.owned = owned;
    this.environment = environment;
  }

  /**
   * In the application's system, in the environment's, or in a new system when both are null.
   *
   * @throws TransportException if the actor system cannot be started, or is ending
   */
  static NodeSystem of(PoolOptions options) {
    try {
      return in(options);
    } catch (RuntimeException e) {
      throw new TransportException("the actor system cannot be used: " + e.getMessage(), e);
    }
  }

  private static NodeSystem in(PoolOptions options) {
    NodeEnvironment environment = options.environment();
    ActorSystem<?> application = options.system() != null ? options.system() : environment.system();
    CompletableFuture<Done> ended = new CompletableFuture<>();
    Behavior<PoolActor.Command> pool = PoolActor.create(ended, application == null);
    String name = "millrace-" + environment.nextNodeNumber();
    if (application != null) {
      return new NodeSystem(
          application,
          application.systemActorOf(pool, name, Props.empty()),
          ended,
          false,
          environment);
    }
    // A single thread begins SLF4J: SLF4J would replay the messages of other threads from the
    // meantime, with a warning.
    var _ = LoggerFactory.getILoggerFactory();
    ActorSystem<PoolActor.Command> own =
        ActorSystem.create(
            Behaviors.supervise(pool).onFailure(SupervisorStrategy.stop()),
            name,
            OF_OWN_SYSTEM.withFallback(ConfigFactory.load(Loaders.ofApplication())));
    return new NodeSystem(own, own, ended, true, environment);
  }

  ActorSystem<?> system() {
    return system;
  }

  /** Whether the system is the node's own, and ends with the node. */
  boolean isOwned() {
    return owned;
  }

  ActorRef<PoolActor.Command> pool() {
    return pool;
  }

  /**
   * Stops the node's actors, driving the loops without a thread, and waits for the actors' end.
   *
   * @param onEnded runs after the wait for the actors' end, and before the end of a system of the
   *     node's own
   * @return whether the actors have ended
   */
  boolean close(List<DrivenLoop> loops, Runnable onEnded) {
    pool.tell(new PoolActor.Command.Close());
    for (DrivenLoop loop : loops) {
      drive(loop);
    }
    await(poolEnded);
    try {
      onEnded.run();
    } finally {
      if (owned) {
        system.terminate();
        await(system.getWhenTerminated().toCompletableFuture());
      }
    }
    return poolEnded.isDone();
  }

  private void drive(DrivenLoop loop) {
    try {
      loop.runUntil(poolEnded::isDone, loop.eventLoop().nowNs() + CLOSE_TIMEOUT_NS);
    } catch (IllegalStateException e) {
      // Another thread drives the loop at this moment and will run the closing turns.
      return;
    }
  }

  private void await(CompletableFuture<?> future) {
    if (!NodeEnvironment.awaitEnd(environment, future, CLOSE_TIMEOUT_NS)) {
      system.log().warn("the node did not end within 10 s");
    }
  }
}
