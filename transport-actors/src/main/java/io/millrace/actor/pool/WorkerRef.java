package io.millrace.actor.pool;

import io.millrace.actor.worker.WorkerCommand;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * One worker as its node asks it. Nobody who asks waits for ever: what a worker has not answered
 * when it ends, and what it is asked later, fails with {@link TransportException}. Any thread.
 */
final class WorkerRef {
  private final ActorRef<WorkerCommand> actor;
  private final Set<CompletableFuture<?>> asked = ConcurrentHashMap.newKeySet();
  private volatile boolean ended;

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
    asked.add(answer);
    var _ = answer.whenComplete((value, failure) -> asked.remove(answer));
    actor.tell(command.apply(answer));
    if (ended) {
      fail(answer);
    }
    return answer;
  }

  /** Nothing is answered any more. Idempotent. */
  void onEnded() {
    ended = true;
    asked.forEach(WorkerRef::fail);
  }

  private static void fail(CompletableFuture<?> answer) {
    answer.completeExceptionally(new TransportException("the transport was closed", null));
  }
}
