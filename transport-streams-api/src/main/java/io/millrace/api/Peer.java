package io.millrace.api;

import io.millrace.actor.body.BodyAcceptor;
import io.millrace.actor.body.BodySource;
import io.millrace.actor.body.BodyTarget;
import io.millrace.actor.peer.PeerHandle;
import io.millrace.actor.pool.TransportPool;
import io.millrace.actor.submission.ExecutorLane;
import io.millrace.api.bulk.BulkProvider;
import io.millrace.api.bulk.BulkReceipt;
import io.millrace.api.bulk.BulkReceiver;
import io.millrace.api.bulk.BulkStreams;
import io.millrace.config.LimitSettings;
import io.millrace.protocol.transfer.CallOutcome;
import io.millrace.wire.Route;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.pekko.Done;
import org.apache.pekko.NotUsed;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.SystemMaterializer;
import org.apache.pekko.stream.javadsl.BidiFlow;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/**
 * Another node, named by its handshake address. Safe on any thread. Calls wait for the handshake
 * that the first of them begins.
 *
 * <p>A sink, source or flow begins its transfer when its graph starts. If another stage of the
 * graph cannot be made there is no transfer, and what was materialized stays incomplete.
 */
public final class Peer {
  private static final CompletableFuture<?> AT_ONCE =
      CompletableFuture.completedFuture(Done.getInstance());

  private final TransportPool pool;
  private final PeerHandle handle;
  private final ExecutorLane lane;
  private final LimitSettings limits;
  private final PeerStreams streams;

  Peer(TransportPool pool, PeerHandle handle, ExecutorLane lane) {
    this.pool = pool;
    this.handle = handle;
    this.lane = lane;
    streams = new PeerStreams(handle, pool.settings());
    limits = pool.settings().limits();
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
   * CallException}. If {@code millrace.limits.executor-queue} futures are open already it has
   * failed with {@code SUBMISSION_FULL} on return; if the executor refuses, for one after {@link
   * Transport#close}, it completes on the common pool.
   *
   * <p>Who completes the future first, by {@code cancel}, {@code orTimeout} or in any other way,
   * ends the call: the peer is told, and an answer that comes all the same is dropped.
   */
  public CompletableFuture<UnaryResponse> unary(UnaryRequest request) {
    checkHeaders(request.options());
    return FutureCall.submit(handle, request, lane);
  }

  /** Calls the peer with the default options; see {@link #unary(UnaryRequest)}. */
  public CompletableFuture<UnaryResponse> unary(Route route, byte[] payload) {
    return unary(UnaryRequest.of(route, payload));
  }

  /** Calls the peer; {@code completion} is told on the worker's thread. */
  public void unary(UnaryRequest request, WorkerCompletion completion) {
    checkHeaders(request.options());
    handle.submit(new WorkerCompletedCall(handle, request, completion, pool.events()));
  }

  /**
   * A flow of calls in which at most {@code parallelism} are under way; responses come in the order
   * of their requests. The first failure fails the stream. However the stream ends, the calls that
   * are still under way end with it: the peer is told, as if their futures were cancelled.
   */
  public Flow<UnaryRequest, UnaryResponse, NotUsed> unaryFlow(int parallelism) {
    Flow<Supplier<CompletableFuture<UnaryResponse>>, UnaryResponse, NotUsed> calls =
        Flow.<Supplier<CompletableFuture<UnaryResponse>>>create()
            .mapAsync(parallelism, Supplier::get);
    return BidiFlow.fromGraph(new OpenCalls<UnaryRequest, UnaryResponse>(this::unary)).join(calls);
  }

  /**
   * Writes all bytes of {@code source} to what the peer's {@link BulkReceiver} of this route names.
   * The source is closed, whatever happens, also when this throws because of its arguments. The
   * future completes on the transport's executor when the peer has verified all bytes and completed
   * its target, and fails with {@link CallException}; to complete it first, for one by {@code
   * cancel}, ends the transfer at both sides.
   */
  public CompletableFuture<BulkReceipt> bulkWrite(
      Route route, BodySource source, TransferOptions options) {
    return bulkWrite(route, source, options, AT_ONCE);
  }

  private CompletableFuture<BulkReceipt> bulkWrite(
      Route route, BodySource source, TransferOptions options, CompletableFuture<?> start) {
    return Owned.giving(
        source,
        () -> {
          checkHeaders(options);
          return BulkWriteCall.submit(handle, route, source, options, lane, start);
        });
  }

  /**
   * Reads what the peer's {@link BulkProvider} of this route names into {@code target}, which is
   * completed or aborted, whatever happens, also when this throws because of its arguments. The
   * future completes on the transport's executor when all bytes were verified and the target has
   * completed, and fails with {@link CallException}; to complete it first, for one by {@code
   * cancel}, ends the transfer at both sides.
   */
  public CompletableFuture<BulkReceipt> bulkRead(
      Route route, BodyTarget target, TransferOptions options) {
    return bulkRead(route, target, options, AT_ONCE);
  }

  private CompletableFuture<BulkReceipt> bulkRead(
      Route route, BodyTarget target, TransferOptions options, CompletableFuture<?> start) {
    return Owned.giving(
        target,
        () -> {
          checkHeaders(options);
          return BulkReadCall.submit(
              handle,
              route,
              target,
              (from, priority, headers, bytes) -> CompletableFuture.completedFuture(target),
              options,
              lane,
              start);
        });
  }

  /**
   * Reads what the peer's {@link BulkProvider} of this route names into what {@code receiver}
   * names: it is asked once, on the transport's executor, when the headers of the answer are there,
   * ahead of the first byte, and not at all if the read fails before. What it throws fails the read
   * with {@code TARGET_FAILED}. It owns nothing before, so nothing is to be given back when this
   * throws. Otherwise as {@link #bulkRead(Route, BodyTarget, TransferOptions)}.
   */
  public CompletableFuture<BulkReceipt> bulkRead(
      Route route, BulkReceiver receiver, TransferOptions options) {
    checkHeaders(options);
    return BulkReadCall.submit(
        handle, route, null, new ReceiverAcceptor(receiver), options, lane, AT_ONCE);
  }

  /**
   * A sink whose elements are written to what the peer's {@link BulkReceiver} of this route names;
   * each materialization is one transfer. The stage completes when the peer has verified all bytes
   * and completed its target, and fails with {@link CallException}. If the stream fails, the
   * transfer fails with it; if the transfer fails first, the stream is cancelled. The stream is
   * held back when its buffer of {@link BulkStreams#DEFAULT_BUFFER_BYTES} and the window of the
   * transfer are full.
   */
  public Sink<ByteString, CompletionStage<BulkReceipt>> bulkSink(
      Route route, TransferOptions options) {
    return Flow.fromGraph(new StartSignal<ByteString>())
        .toMat(BulkStreams.sink(), (start, source) -> bulkWrite(route, source, options, start));
  }

  /**
   * A source of the bytes that the peer's {@link BulkProvider} of this route names, in order; each
   * materialization is one transfer. What was seen is all there is only when the stream has
   * completed. The stage completes when all bytes were verified and are in the stream's buffer of
   * {@link BulkStreams#DEFAULT_BUFFER_BYTES}, and fails with {@link CallException} as the stream
   * does. Without demand the peer is held back; cancelling ends the transfer at both sides.
   */
  public Source<ByteString, CompletionStage<BulkReceipt>> bulkSource(
      Route route, TransferOptions options) {
    return BulkStreams.source()
        .viaMat(new StartSignal<>(), (target, start) -> bulkRead(route, target, options, start));
  }

  /**
   * As {@link #bulkSource}; besides, the first of the two stages completes with the headers of the
   * answer, ahead of any element, and fails as the second one does if there is no answer.
   */
  public Source<ByteString, Pair<CompletionStage<byte[]>, CompletionStage<BulkReceipt>>>
      bulkSourceWithHeaders(Route route, TransferOptions options) {
    checkHeaders(options);
    return BulkStreams.source()
        .viaMat(
            new StartSignal<>(), (target, start) -> readWithHeaders(route, target, options, start));
  }

  private Pair<CompletionStage<byte[]>, CompletionStage<BulkReceipt>> readWithHeaders(
      Route route, BodyTarget target, TransferOptions options, CompletableFuture<?> start) {
    CompletableFuture<byte[]> headers = new CompletableFuture<>();
    BodyAcceptor receiver =
        (from, priority, answered, bytes) -> {
          headers.complete(answered);
          return CompletableFuture.completedFuture(target);
        };
    CompletableFuture<BulkReceipt> receipt =
        BulkReadCall.submit(handle, route, target, receiver, options, lane, start);
    var _ =
        receipt.whenComplete(
            (received, failure) -> {
              if (failure != null) {
                headers.completeExceptionally(failure);
              }
            });
    return Pair.create(headers, receipt);
  }

  /**
   * A source of the peer's responses to one request; each materialization opens a stream when its
   * graph starts. The stage completes with the response's headers, ahead of any element, and fails
   * with {@link CallException}, as the source does. Without demand the peer is held back;
   * cancelling ends the stream at both sides.
   */
  public Source<byte[], CompletionStage<byte[]>> streamingResponse(UnaryRequest request) {
    checkHeaders(request.options());
    return streams.response(request);
  }

  /**
   * A sink of the requests of one stream, which it opens when its graph starts. The stage completes
   * with the one response and fails with {@link CallException}. The sink asks for no more than the
   * peer takes; if the peer wants no more it cancels, and the response may follow. To complete the
   * stage first, for one by {@code cancel}, ends the stream at both sides.
   */
  public Sink<byte[], CompletionStage<UnaryResponse>> streamingRequest(
      Route route, TransferOptions options) {
    checkHeaders(options);
    return streams.request(route, options);
  }

  /**
   * A flow whose elements go to the peer and whose elements come from it, paced and closed
   * independently; each materialization opens a stream when its graph starts. The stage completes
   * with the response's headers. A direction fails with {@link CallException} alone, unless the
   * peer is lost.
   */
  public Flow<byte[], byte[], CompletionStage<byte[]>> bidirectional(
      Route route, TransferOptions options) {
    checkHeaders(options);
    return streams.bidirectional(route, options);
  }

  /**
   * Calls the peer with an encoded value, with the default options; see {@link #unary(TypedRoute,
   * Object, TransferOptions)}.
   */
  public <Q, R> CompletableFuture<TypedResponse<R>> unary(TypedRoute<Q, R> route, Q value) {
    return unary(route, value, TransferOptions.DEFAULTS);
  }

  /**
   * Calls the peer with an encoded value. The future fails with {@link CallException} as {@link
   * #unary(UnaryRequest)} says; besides with {@code SOURCE_FAILED} if the value cannot be encoded,
   * with {@code REQUEST_NOT_DECODED} if the peer cannot decode it, and with {@code
   * RESPONSE_NOT_DECODED} if this side cannot decode the answer.
   */
  public <Q, R> CompletableFuture<TypedResponse<R>> unary(
      TypedRoute<Q, R> route, Q value, TransferOptions options) {
    return TypedCalls.unary(this, route, value, options);
  }

  /**
   * A source of the peer's responses to one encoded value, as {@link
   * #streamingResponse(UnaryRequest)} says. A response that cannot be decoded fails the source with
   * {@code RESPONSE_NOT_DECODED} after those ahead of it and ends the stream at both sides.
   */
  public <Q, R> Source<R, CompletionStage<byte[]>> streamingResponse(
      TypedRoute<Q, R> route, Q value, TransferOptions options) {
    return TypedCalls.streamingResponse(this, route, value, options);
  }

  /**
   * A sink of the requests of one stream, encoded one by one, as {@link #streamingRequest(Route,
   * TransferOptions)} says. If a request cannot be encoded the stage fails with {@code
   * SOURCE_FAILED}, if the peer cannot decode one with {@code REQUEST_NOT_DECODED}, if this side
   * cannot decode the response with {@code RESPONSE_NOT_DECODED}.
   */
  public <Q, R> Sink<Q, CompletionStage<TypedResponse<R>>> streamingRequest(
      TypedRoute<Q, R> route, TransferOptions options) {
    return TypedCalls.streamingRequest(this, route, options);
  }

  /**
   * A flow of encoded requests and decoded responses, as {@link #bidirectional(Route,
   * TransferOptions)} says. If a request cannot be encoded, the peer's handler sees its requests
   * fail with {@code SOURCE_FAILED}, and the responses end as it answers that. If the peer cannot
   * decode a request, the responses fail with {@code REQUEST_NOT_DECODED} and no more requests are
   * taken. If this side cannot decode a response, they fail with {@code RESPONSE_NOT_DECODED}, the
   * peer is told that no more are wanted, and the requests go on until it wants no more of them.
   */
  public <Q, R> Flow<Q, R, CompletionStage<byte[]>> bidirectional(
      TypedRoute<Q, R> route, TransferOptions options) {
    return TypedCalls.bidirectional(this, route, options);
  }

  /** The same streams as publishers and subscribers of {@link java.util.concurrent.Flow}. */
  public PeerFlows flows() {
    return new PeerFlows(this, SystemMaterializer.get(pool.system()).materializer());
  }

  /** Where its calls go. */
  PeerHandle handle() {
    return handle;
  }

  /** Whether it is a peer of this node. */
  boolean isOf(TransportPool node) {
    return pool == node;
  }

  private void checkHeaders(TransferOptions options) {
    checkHeaders(options.headers(), limits);
  }

  static void checkHeaders(byte[] headers, LimitSettings limits) {
    String problem = limits.headersProblem(headers.length);
    if (problem != null) {
      throw new IllegalArgumentException(problem);
    }
  }

  @Override
  public String toString() {
    return "Peer[" + address() + "]";
  }
}
