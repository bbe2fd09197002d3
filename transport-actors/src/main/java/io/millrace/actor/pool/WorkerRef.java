package io.millrace.actor.pool;

import io.millrace.actor.worker.WorkerCommand;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * One worker as its node asks it. Nobody who asks waits for ever: what a worker has not answered
 * when it ends, and what it is asked later, fails with {@link TransportException}. Any thread.
 */
final class WorkerRef {
  private final ActorRef<WorkerCommand> actor;
  private final Set<CompletableFuture<?>> asked = new LinkedHashSet<>();
  private boolean ended;

  WorkerRef(ActorRef<WorkerCommand> actor) {
    this.actor = actor;
  }

  /** Tells the worker something that asks for no answer. */
  void tell(WorkerCommand command) {
    actor.tell(command);
  }

  /** The answer to the command that {@code command} makes; completes on the worker's thread. */
  <T> CompletableFuture<T> ask(Function<CompletableFuture<T>, WorkerCommand> command) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    if (!add(answer)) {
      fail(answer);
      return answer;
    }
    var _ = answer.whenComplete((value, failure) -> remove(answer));
    actor.tell(command.apply(answer));
    return answer;
  }

  /** Nothing is answered any more; those who asked are told in their order. Idempotent. */
  void onEnded() {
    end().forEach(WorkerRef::fail);
  }

  private synchronized boolean add(CompletableFuture<?> answer) {
    return !ended && asked.add(answer);
  }

  private synchronized void remove(CompletableFuture<?> answer) {
    asked.remove(answer);
  }

  private synchronized List<CompletableFuture<?>> end() {
    ended = true;
    return List.copyOf(asked);
  }

  private static void fail(CompletableFuture<?> answer) {
    answer.completeExceptionally(new TransportException("the transport was closed", null));
  }
}
