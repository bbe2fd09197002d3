package io.millrace.api.actor;

import io.millrace.api.CallContext;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * A request that an actor answers, once: with {@link #answer} or {@link #fail}. What is decided
 * twice counts once. Any thread.
 *
 * @param <Q> what is asked
 * @param <R> what is answered
 */
public final class IncomingCall<Q, R> {
  private final Q request;
  private final CallContext context;
  private final CompletableFuture<R> decision = new CompletableFuture<>();

  IncomingCall(Q request, CallContext context) {
    this.request = request;
    this.context = context;
  }

  /** What is asked. */
  public Q request() {
    return request;
  }

  /** Who calls, with which headers, and what to answer ahead of the response. */
  public CallContext context() {
    return context;
  }

  /** Answers. */
  public void answer(R response) {
    decision.complete(Objects.requireNonNull(response, "response"));
  }

  /** The caller learns that it failed, with this text. */
  public void fail(String text) {
    decision.completeExceptionally(new ActorFailedException(text));
  }

  /** Whether the caller wants no answer any more: it gave the call up, or cannot be reached. */
  public boolean isUnwanted() {
    return decision.isCancelled();
  }

  /**
   * Tells an actor, once, if the caller wants no answer any more before there is one; at once if
   * that is so already.
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
