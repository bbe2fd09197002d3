package io.millrace.api.actor;

import java.util.concurrent.CompletableFuture;

/** Something that a peer waits for an actor to decide. The first decision counts; any thread. */
abstract sealed class Incoming<T> permits IncomingCall, IncomingWrite, IncomingRead {
  private final CompletableFuture<T> decision = new CompletableFuture<>();

  final CompletableFuture<T> decision() {
    return decision;
  }

  /** Whether this was the first decision. */
  final boolean decide(T value) {
    return decision.complete(value);
  }

  /** The caller learns that it failed, with this text. */
  public final void fail(String text) {
    decision.completeExceptionally(new ActorFailedException(text));
  }
}
