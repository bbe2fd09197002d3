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
 * One worker as its node asks it. Nobody who asks waits for ever: what a worker has not answered
 * when it ends, and what it is asked later, fails with {@link TransportException}. Any thread.
 */
final class WorkerRef {
  private final ActorRef<WorkerCommand> actor;
  private final Set<Question<?>> asked = new LinkedHashSet<>();
  private @Nullable String ended;

  /** Something that was asked; equal to nothing else. */
  private static final class Question<T> {
    private final CompletableFuture<T> answer = new CompletableFuture<>();

    private void fail(String reason) {
      answer.completeExceptionally(new TransportException(reason, null));
    }
  }

  WorkerRef(ActorRef<WorkerCommand> actor) {
    this.actor = actor;
  }

  /** Tells the worker something that asks for no answer. */
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

  /** Nothing is answered any more; those who asked are told why in their order. Idempotent. */
  void onEnded(String reason) {
    end(reason).forEach(question -> question.fail(reason));
  }

  /** Takes the question, or says why it is not answered. */
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
