package io.millrace.api.actor;

import io.millrace.api.CallContext;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * A request for an actor to answer, once: with {@link #answer} or {@link #fail}. Only the first
 * answer or failure counts. Any thread.
 *
 * @param <Q> the request
 * @param <R> the response
 */
public final class IncomingCall<Q, R> {
  private final Q request;
  private final CallContext context;
  private final CompletableFuture<R> decision = new CompletableFuture<>();

  IncomingCall(Q request, CallContext context) {
    this.request = request;
    this.context = context;
  }

  /** Returns the request. */
  public Q request() {
    return request;
  }

  /** Returns the context: the caller, the caller's headers, and the headers of the answer. */
  public CallContext context() {
    return context;
  }

  /** Answers the call with this response. */
  public void answer(R response) {
    decision.complete(Objects.requireNonNull(response, "response"));
  }

  /** Fails the call; the caller gets this text. */
  public void fail(String text) {
    decision.completeExceptionally(new ActorFailedException(text));
  }

  /**
   * Whether the caller wants no answer any more: the caller gave the call up, or cannot be reached.
   */
  public boolean isUnwanted() {
    return decision.isCancelled();
  }

  /**
   * Sends an actor this message, once, if the caller gives the call up before the answer; sends at
   * once if the caller has given up already.
   */
  public <M> void tellIfUnwanted(ActorRef<M> to, M message) {
    Objects.requireNonNull(to, "to");
    Objects.requireNonNull(message, "message");
    var _ =
        decision.whenComplete(
            (response, failure) -> {
              if (isUnwanted()) {
                to.tell(message);
              }
            });
  }

  CompletableFuture<R> decision() {
    return decision;
  }
}
