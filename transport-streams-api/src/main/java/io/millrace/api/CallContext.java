package io.millrace.api;

import io.millrace.access.PeerIdentity;
import io.millrace.transfer.CausalityToken;
import io.millrace.transfer.Headers;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The facts of a call or stream that a handler may use besides the requests. Any thread. */
public interface CallContext {
  /** The identity of the caller: the caller's handshake address, host:port. */
  String peer();

  /**
   * The caller's identity as proved by the handshake: names, key, and the proved part of the
   * address.
   */
  PeerIdentity identity();

  /** The priority that the caller chose: 0, served first, to 7. */
  int priority();

  /**
   * Returns the token of the served call or stream, if the caller asked for a token. Work of this
   * node for the call can wait for the token, or fail with the token, and belongs to the same
   * chain. The token ends with the answer of the call, and fails when the caller gives the call up.
   * A handler that waits for its own token waits for ever; {@code REQUEST_CRITICAL} ties calls to
   * other nodes to this call. Empty also if no slot is free, and for a request larger than a
   * datagram.
   */
  default Optional<CausalityToken> token() {
    return Optional.empty();
  }

  /** Returns the caller's headers. */
  Headers headers();

  /** The bytes of headers and request as they came; of a stream of requests the headers alone. */
  long requestBytes();

  /**
   * Sets the headers of the answer, which travel ahead of the answer as soon as the stage
   * completes. The handler of a stream must set the headers before it returns, the handler of a
   * call before its stage completes. The node demands no element of a stream before the headers are
   * there; if the stage of headers fails, the transfer fails, too.
   *
   * @param headers at most {@code millrace.limits.headers}, else the caller gets {@code
   *     RESPONSE_TOO_LARGE}
   */
  void answerHeaders(CompletionStage<Headers> headers);

  /**
   * Sets the headers that travel ahead of the answer; see {@link #answerHeaders(CompletionStage)}.
   */
  default void answerHeaders(Headers headers) {
    answerHeaders(CompletableFuture.completedFuture(headers));
  }
}
