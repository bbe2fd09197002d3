package io.millrace.spring;

import io.millrace.api.CallContext;
import io.millrace.transfer.OverloadedException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.japi.function.Function2;
import org.jspecify.annotations.Nullable;

/**
 * Answers the requests of a route by a method, on the transport's executor or each on a virtual
 * thread. A request takes its bytes of the route's budget until its response is there.
 */
final class RouteHandler implements Function2<SizedRequest, CallContext, CompletionStage<Object>> {
  private static final long serialVersionUID = 1L;

  // Functions of Pekko are serializable; no handler is ever serialized.
  private final transient RouteMethod method;
  private final transient RequestBudget budget;
  private final String threads;

  /**
   * @param threads the name of virtual threads; empty for the transport's executor
   */
  RouteHandler(RouteMethod method, RequestBudget budget, String threads) {
    this.method = method;
    this.budget = budget;
    this.threads = threads;
  }

  @Override
  public CompletionStage<Object> apply(SizedRequest request, CallContext context)
      throws OverloadedException {
    long taken = budget.acquire(request.bytes());
    CompletableFuture<Object> answer = new CompletableFuture<>();
    Runnable run = () -> run(request.message(), context, answer, taken);
    if (threads.isEmpty()) {
      run.run();
    } else {
      Thread thread = Thread.ofVirtual().name(threads).start(run);
      var _ =
          answer.whenComplete(
              (response, failure) -> {
                if (answer.isCancelled()) {
                  thread.interrupt();
                }
              });
    }
    return answer;
  }

  private void run(
      Object message, CallContext context, CompletableFuture<Object> answer, long taken) {
    try {
      Object returned = method.call(message, context);
      if (returned instanceof CompletionStage<?> stage) {
        follow(stage, answer, taken);
        return;
      }
      complete(answer, taken, returned, null);
    } catch (Throwable failure) { // the method's own, whatever that is
      complete(answer, taken, null, failure);
    }
  }

  /** Answers as the stage ends; a caller that gives up cancels a future. */
  private void follow(CompletionStage<?> stage, CompletableFuture<Object> answer, long taken) {
    var _ = stage.whenComplete((response, failure) -> complete(answer, taken, response, failure));
    if (stage instanceof CompletableFuture<?> future) {
      var _ =
          answer.whenComplete(
              (response, failure) -> {
                if (answer.isCancelled()) {
                  future.cancel(true);
                }
              });
    }
  }

  private void complete(
      CompletableFuture<Object> answer,
      long taken,
      @Nullable Object response,
      @Nullable Throwable failure) {
    budget.release(taken);
    if (failure != null) {
      answer.completeExceptionally(failure);
    } else if (response == null) {
      answer.completeExceptionally(new NullPointerException("the method returned null"));
    } else {
      answer.complete(response);
    }
  }
}
