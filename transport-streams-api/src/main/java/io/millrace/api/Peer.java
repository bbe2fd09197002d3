package io.millrace.api;

import io.millrace.actor.peer.PeerHandle;
import io.millrace.actor.pool.TransportPool;
import io.millrace.actor.submission.ExecutorLane;
import io.millrace.protocol.transfer.CallOutcome;
import io.millrace.wire.Route;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.javadsl.Flow;

/**
 * Another node, named by its handshake address. Safe on any thread. Calls wait for the handshake
 * that the first of them begins.
 */
public final class Peer {
  private final TransportPool pool;
  private final PeerHandle handle;
  private final ExecutorLane lane;
  private final int maxHeadersBytes;

  Peer(TransportPool pool, PeerHandle handle, ExecutorLane lane) {
    this.pool = pool;
    this.handle = handle;
    this.lane = lane;
    maxHeadersBytes = pool.settings().limits().headersBytes();
  }

  /** The peer's handshake address, host:port, numeric. */
  public String address() {
    return handle.identity();
  }

  /**
   * Shakes hands with the peer unless there is a path already. The future fails with {@link
   * CallException} and {@code HANDSHAKE_FAILED} if the peer cannot be reached or does not accept
   * this node.
   */
  public CompletableFuture<Void> connect() {
    return pool.connect(handle)
        .exceptionallyCompose(
            failure ->
                CompletableFuture.failedFuture(
                    new CallException(
                        CallOutcome.HANDSHAKE_FAILED, String.valueOf(failure.getMessage()))));
  }

  /**
   * Calls the peer. The future completes on the transport's executor, and fails with {@link
   * CallException}.
   */
  public CompletableFuture<UnaryResponse> unary(UnaryRequest request) {
    checkHeaders(request);
    FutureCall call = new FutureCall(handle, request, lane);
    handle.submit(call);
    return call.future();
  }

  /** Calls the peer with the default options; see {@link #unary(UnaryRequest)}. */
  public CompletableFuture<UnaryResponse> unary(Route route, byte[] payload) {
    return unary(UnaryRequest.of(route, payload));
  }

  /** Calls the peer; {@code completion} is told on the worker's thread. */
  public void unary(UnaryRequest request, WorkerCompletion completion) {
    checkHeaders(request);
    handle.submit(new WorkerCompletedCall(handle, request, completion, pool.events()));
  }

  /**
   * A flow of calls in which at most {@code parallelism} are under way; responses come in the order
   * of their requests. The first failure fails the stream.
   */
  public Flow<UnaryRequest, UnaryResponse, NotUsed> unaryFlow(int parallelism) {
    return Flow.<UnaryRequest>create().mapAsync(parallelism, this::unary);
  }

  private void checkHeaders(UnaryRequest request) {
    int length = request.options().headers().length;
    if (length > maxHeadersBytes) {
      throw new IllegalArgumentException(
          length + " bytes of headers are more than millrace.limits.headers = " + maxHeadersBytes);
    }
  }

  @Override
  public String toString() {
    return "Peer[" + address() + "]";
  }
}
