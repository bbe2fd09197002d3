package io.millrace.api;

import io.millrace.access.PeerIdentity;
import io.millrace.transfer.CausalityToken;
import io.millrace.transfer.Headers;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What a handler may know of a call or stream besides its requests. Any thread. */
public interface CallContext {
  /** Identity of the caller: its handshake address, host:port. */
  String peer();

  /** What the handshake proved of the caller: its names, its key, how much of its address. */
  PeerIdentity identity();

  /** 0, served first, to 7, as the caller chose. */
  int priority();

  /**
   * Names what is served here, if its caller asked for a token: what this node does for it can wait
   * for it, or fail with it, and belongs to the same chain. It ends when the call is answered, and
   * fails when its caller gives it up. To wait for its response within the handler is to wait for
   * oneself; {@code REQUEST_CRITICAL} is what ties calls to other nodes to this one. Empty also if
   * there is no slot, and for what does not fit a datagram.
   */
  default Optional<CausalityToken> token() {
    return Optional.empty();
  }

  /** The caller's headers. */
  Headers headers();

  /**
   * Headers that travel ahead of the answer, when they are known. Of a stream they must be given
   * before its handler returns, of a call before its stage completes. No element of a stream is
   * asked for before they are there; if the stage fails, the transfer fails with it.
   *
   * @param headers at most {@code millrace.limits.headers}, else the caller hears {@code
   *     RESPONSE_TOO_LARGE}
   */
  void answerHeaders(CompletionStage<Headers> headers);

  /** Headers that travel ahead of the answer; see {@link #answerHeaders(CompletionStage)}. */
  default void answerHeaders(Headers headers) {
    answerHeaders(CompletableFuture.completedFuture(headers));
  }
}
