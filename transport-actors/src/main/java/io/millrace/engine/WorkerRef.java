package io.millrace.engine;

import io.millrace.actor.WorkerCommand;
import io.millrace.node.TransportException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * A worker, as the worker's node asks questions. No question waits for ever: a question that is
 * unanswered at the worker's end, or asked later, fails with {@link TransportException}. Any
 * thread.
 */
final class WorkerRef {
  private final ActorRef<WorkerCommand> actor;
  private final Set<Question<?>> asked = new LinkedHashSet<>();
  private @Nullable String ended;

  /** A question; equal to no other question. */
  private static final class Question<T> {
    private final CompletableFuture<T> answer = new CompletableFuture<>();

    private void fail(String reason) {
      answer.completeExceptionally(new TransportException(reason, null));
    }
  }

  WorkerRef(ActorRef<WorkerCommand> actor) {
    this.actor = actor;
  }

  /** Tells the worker a command without an answer. */
  void tell(WorkerCommand command) {
    actor.tell(command);
  }

  /** The answer to the command that {@code command} makes; completes on the worker's thread. */
  <T> CompletableFuture<T> ask(Function<CompletableFuture<T>, WorkerCommand> command) {
    Question<T> question = new Question<>();
    String reason = add(question);
    if (reason == null) {
      var _ = question.answer.whenComplete((value, failure) -> remove(question));
      actor.tell(command.apply(question.answer));
    } else {
      question.fail(reason);
    }
    return question.answer;
  }

  /**
   * The worker answers nothing any more; the open questions fail with the reason in their order.
   * Idempotent.
   */
  void onEnded(String reason) {
    end(reason).forEach(question -> question.fail(reason));
  }

  /** Adds the question, or returns the reason why the worker will not answer. */
  private synchronized @Nullable String add(Question<?> question) {
    if (ended == null) {
      asked.add(question);
    }
    return ended;
  }

  private synchronized void remove(Question<?> question) {
    asked.remove(question);
  }

  private synchronized List<Question<?>> end(String reason) {
    if (ended == null) {
      ended = reason;
    }
    return List.copyOf(asked);
  }
}
