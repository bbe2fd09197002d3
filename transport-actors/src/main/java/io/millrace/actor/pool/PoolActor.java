package io.millrace.actor.pool;

import io.millrace.actor.worker.WorkerCommand;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Supervises the workers of one node. Control plane. */
final class PoolActor {
  /** What the actor is told. */
  sealed interface Command {
    /** Start a worker on the dispatcher of this id. */
    record StartWorker(
        Behavior<WorkerCommand> behavior,
        int worker,
        String dispatcherId,
        CompletableFuture<ActorRef<WorkerCommand>> started)
        implements Command {}

    /** Stop all workers and then this actor. */
    record Close() implements Command {}
  }

  private PoolActor() {}

  /** {@code ended} completes when the workers have stopped. */
  static Behavior<Command> create(CompletableFuture<Done> ended) {
    return Behaviors.setup(
        context ->
            Behaviors.receive(Command.class)
                .onMessage(
                    Command.StartWorker.class,
                    start -> {
                      start
                          .started()
                          .complete(
                              context.spawn(
                                  start.behavior(),
                                  "worker-" + start.worker(),
                                  DispatcherSelector.fromConfig(start.dispatcherId())));
                      return Behaviors.same();
                    })
                .onMessage(Command.Close.class, close -> Behaviors.stopped())
                .onSignal(
                    PostStop.class,
                    signal -> {
                      ended.complete(Done.getInstance());
                      return Behaviors.same();
                    })
                .build());
  }
}
