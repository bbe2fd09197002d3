package io.millrace.api.blocking;

import io.millrace.access.PeerIdentity;
import io.millrace.api.CallContext;
import io.millrace.transfer.CausalityToken;
import io.millrace.transfer.Headers;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The context of a stream whose handler runs after the stream has begun: the headers of the answer
 * may come up to the first response.
 */
final class LateHeaders implements CallContext {
  private final CallContext context;
  private final CompletableFuture<Headers> headers = new CompletableFuture<>();
  private volatile boolean isGiven;

  LateHeaders(CallContext context) {
    this.context = context;
    context.answerHeaders(headers);
  }

  /** The answer has no headers, unless the handler has given headers before. */
  void settle() {
    if (!isGiven) {
      headers.complete(Headers.EMPTY);
    }
  }

  @Override
  public String peer() {
    return context.peer();
  }

  @Override
  public PeerIdentity identity() {
    return context.identity();
  }

  @Override
  public int priority() {
    return context.priority();
  }

  @Override
  public Optional<CausalityToken> token() {
    return context.token();
  }

  @Override
  public Headers headers() {
    return context.headers();
  }

  @Override
  public long requestBytes() {
    return context.requestBytes();
  }

  @Override
  public void answerHeaders(CompletionStage<Headers> given) {
    isGiven = true;
    given.whenComplete(
        (known, failure) -> {
          if (failure == null) {
            headers.complete(known);
          } else {
            headers.completeExceptionally(failure);
          }
        });
  }
}
