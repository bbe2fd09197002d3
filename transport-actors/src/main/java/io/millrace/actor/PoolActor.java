package io.millrace.actor;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;

/** Supervises the workers of a node. Control plane. */
public final class PoolActor extends AbstractBehavior<PoolActor.Command> {
  /** The commands of the actor. */
  public sealed interface Command {
    /**
     * Start a worker on the dispatcher of this id.
     *
     * @param onStopped told the reason of a stop that was not asked for
     */
    record StartWorker(
        Behavior<WorkerCommand> behavior,
        int worker,
        String dispatcherId,
        CompletableFuture<ActorRef<WorkerCommand>> started,
        Consumer<String> onStopped)
        implements Command {}

    /** Let all workers tell their peers and stop, and then end; see {@link #create}. */
    record Close() implements Command {}
  }

  private final CompletableFuture<Done> ended;
  private final boolean isGuardian;
  private final List<Worker> workers = new ArrayList<>();
  private boolean isClosing;

  private record Worker(ActorRef<WorkerCommand> actor, Consumer<String> onStopped) {}

  private PoolActor(
      ActorContext<Command> context, CompletableFuture<Done> ended, boolean isGuardian) {
    super(context);
    this.ended = ended;
    this.isGuardian = isGuardian;
  }

  /**
   * Creates the actor.
   *
   * @param ended completes when the workers have stopped
   * @param isGuardian whether the actor goes on after the workers' stop: the end of a guardian ends
   *     its actor system, with all streams
   */
  public static Behavior<Command> create(CompletableFuture<Done> ended, boolean isGuardian) {
    return Behaviors.setup(context -> new PoolActor(context, ended, isGuardian));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Command.StartWorker.class, this::onStartWorker)
        .onMessage(Command.Close.class, close -> onClose())
        .onSignal(Terminated.class, this::onWorkerStopped)
        .onSignal(PostStop.class, signal -> onPostStop())
        .build();
  }

  private Behavior<Command> onStartWorker(Command.StartWorker start) {
    ActorRef<WorkerCommand> worker =
        getContext()
            .spawn(
                start.behavior(),
                "worker-" + start.worker(),
                DispatcherSelector.fromConfig(start.dispatcherId()));
    getContext().watch(worker);
    workers.add(new Worker(worker, start.onStopped()));
    start.started().complete(worker);
    return this;
  }

  private Behavior<Command> onClose() {
    isClosing = true;
    workers.forEach(worker -> worker.actor().tell(new WorkerCommand.Close()));
    return afterWorkers();
  }

  private Behavior<Command> onWorkerStopped(Terminated stopped) {
    for (Worker worker : List.copyOf(workers)) {
      if (worker.actor().path().equals(stopped.getRef().path())) {
        workers.remove(worker);
        if (!isClosing) {
          worker.onStopped().accept(reason(stopped));
        }
      }
    }
    return afterWorkers();
  }

  private static String reason(Terminated stopped) {
    return stopped instanceof ChildFailed failed
        ? String.valueOf(failed.cause())
        : "its actor was stopped";
  }

  private Behavior<Command> afterWorkers() {
    boolean isDone = isClosing && workers.isEmpty();
    if (isDone && isGuardian) {
      ended.complete(Done.getInstance());
    }
    return isDone && !isGuardian ? Behaviors.stopped() : this;
  }

  private Behavior<Command> onPostStop() {
    ended.complete(Done.getInstance());
    return this;
  }
}
