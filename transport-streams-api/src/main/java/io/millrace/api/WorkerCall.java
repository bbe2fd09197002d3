package io.millrace.api;

import io.millrace.access.PeerIdentity;
import io.millrace.path.call.DeferredAnswer;
import io.millrace.transfer.OverloadedException;
import io.millrace.wire.codec.CallStatus;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.apache.pekko.util.ByteString;

/**
 * A call for a {@link WorkerHandler} to answer. The worker reuses the object for the next call:
 * never keep a reference.
 */
public interface WorkerCall {
  /** The identity of the caller: the caller's handshake address. */
  String peer();

  /**
   * The caller's identity as proved by the handshake; immutable, so the handler may keep a
   * reference.
   */
  PeerIdentity identity();

  /** The priority that the caller chose, 0 to 7. */
  int priority();

  /** The memory with the headers and the payload of the request. */
  DirectBuffer buffer();

  /** The index of the first byte of the headers in {@link #buffer()}. */
  int headersOffset();

  /** The number of header bytes. */
  int headersLength();

  /** The index of the first byte of the payload in {@link #buffer()}. */
  int payloadOffset();

  /** The number of payload bytes. */
  int payloadLength();

  /** Answers with a copy of these bytes. */
  void reply(DirectBuffer source, int offset, int length);

  /**
   * Answers with {@code headersLength} and {@code payloadLength} bytes, which the handler writes
   * into the returned memory: headers from index 0 on, the payload behind them.
   */
  MutableDirectBuffer reply(int headersLength, int payloadLength);

  /**
   * Leaves the answer to any thread, after the return of the handler. The handler reads the request
   * first: afterwards the call has no request. In a node with tracing, the span of the call ends
   * with the handler.
   *
   * @throws OverloadedException if the node has no memory for another open request: the call is
   *     answered {@code OVERLOADED}, and the handler must do nothing for the call
   */
  Later defer() throws OverloadedException;

  /**
   * The right to answer one call of a {@link WorkerHandler} after the handler has returned. The
   * first answer counts, and later answers do nothing. A call that is never answered keeps its
   * place among the calls of the peer until the peer's path ends; also a call that its caller gave
   * up needs an answer. Any thread.
   */
  final class Later {
    private static final byte[] NO_BYTES = {};

    private final DeferredAnswer answer;
    private final HandlerFaults faults;

    Later(DeferredAnswer answer, HandlerFaults faults) {
      this.answer = answer;
      this.faults = faults;
    }

    /**
     * Answers with these bytes and without headers.
     *
     * @return false if the call was answered before
     */
    public boolean reply(ByteString payload) {
      return answer.answer(NO_BYTES, payload.toArrayUnsafe());
    }

    /**
     * Answers with a failure, as the failed future of a handler does.
     *
     * @return false if the call was answered before
     */
    public boolean fail(Throwable failure) {
      faults.onFailure(answer.peer(), failure);
      return answer.fail(
          HandlerFailure.statusOf(failure, CallStatus.HANDLER_FAILED),
          HandlerFailure.textOf(failure),
          HandlerFailure.retryAfterMs(failure));
    }
  }
}
