package io.millrace.api;

import io.millrace.access.PeerIdentity;
import io.millrace.access.admission.Caller;
import io.millrace.transfer.CausalityToken;
import io.millrace.transfer.Headers;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The context of one served call or stream. */
final class ServedContext implements CallContext {
  private static final CompletionStage<Headers> NONE =
      CompletableFuture.completedFuture(Headers.EMPTY);

  private final Caller caller;
  private final int priority;
  private final byte[] block;
  private final int payloadBytes;
  private final @Nullable CausalityToken token;
  private volatile CompletionStage<Headers> answered = NONE;

  ServedContext(
      Caller caller, int priority, byte[] block, int payloadBytes, @Nullable CausalityToken token) {
    this.payloadBytes = payloadBytes;
    this.token = token;
    this.caller = caller;
    this.priority = priority;
    this.block = block;
  }

  @Override
  public String peer() {
    return caller.peer();
  }

  @Override
  public PeerIdentity identity() {
    return caller.identity();
  }

  @Override
  public int priority() {
    return priority;
  }

  @Override
  public Optional<CausalityToken> token() {
    return Optional.ofNullable(token);
  }

  @Override
  public Headers headers() {
    return Headers.decode(block);
  }

  @Override
  public long requestBytes() {
    return (long) block.length + payloadBytes;
  }

  @Override
  public void answerHeaders(CompletionStage<Headers> headers) {
    answered = Objects.requireNonNull(headers, "headers");
  }

  /** Returns the encoded headers of the answer. */
  CompletionStage<byte[]> block() {
    CompletionStage<Headers> given = answered;
    CompletionStage<byte[]> encoded = given.thenApply(Headers::encode);
    if (HandlerFuture.isOpen(given)) {
      // A stream that ends first cancels the encoded headers, and thereby the handler's stage.
      var _ = encoded.whenComplete((bytes, failure) -> HandlerFuture.cancel(given));
    }
    return encoded;
  }
}
