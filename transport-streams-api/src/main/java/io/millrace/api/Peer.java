package io.millrace.api;

import io.millrace.api.bulk.BulkProvider;
import io.millrace.api.bulk.BulkReceipt;
import io.millrace.api.bulk.BulkReceiver;
import io.millrace.api.bulk.BulkStreams;
import io.millrace.api.codec.CodecException;
import io.millrace.body.BodyAcceptor;
import io.millrace.body.SharedPayload;
import io.millrace.config.LimitSettings;
import io.millrace.ends.ExecutorLane;
import io.millrace.engine.TransportPool;
import io.millrace.path.peer.PeerHandle;
import io.millrace.trace.TracedTransfer;
import io.millrace.trace.TransferSpan;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Headers;
import io.millrace.wire.RouteId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.pekko.Done;
import org.apache.pekko.NotUsed;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.javadsl.BidiFlow;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * Another node, named by its handshake address. Safe on any thread. Calls wait for the handshake
 * that the first of them begins.
 *
 * <p>A sink, source or flow begins its transfer when its graph starts. If another stage of the
 * graph cannot be made there is no transfer, and what was materialized stays incomplete.
 */
public final class Peer {
  private static final byte[] NO_BYTES = {};
  private static final CompletableFuture<?> AT_ONCE =
      CompletableFuture.completedFuture(Done.getInstance());

  private final TransportPool pool;

  /** Another one once its worker has stopped. */
  private volatile PeerHandle current;

  private final ExecutorLane lane;
  private final LimitSettings limits;
  private final @Nullable Spans spans;
  private final PeerStreams streams;

  Peer(TransportPool pool, PeerHandle handle, ExecutorLane lane, @Nullable Spans spans) {
    this.pool = pool;
    this.spans = spans;
    current = handle;
    this.lane = lane;
    streams = new PeerStreams(this::handle, pool.settings(), spans);
    limits = pool.settings().limits();
  }

  /** The peer's handshake address, host:port, numeric. */
  public String address() {
    return handle().identity();
  }

  /**
   * What this node knows of the peer's health now, from packets to it and from it. New calls to a
   * peer that is {@code PROBING} or {@code FAILED} fail at once with {@code PEER_UNREACHABLE};
   * those to a {@code DEGRADED} one are less urgent by {@code
   * millrace.recovery.health.degraded-priority}. Costs a volatile read.
   */
  public HealthReport health() {
    return HealthReport.now(current);
  }

  /**
   * The peer's health as it is when the stream begins, and each change from then on. A stream that
   * is slow loses the oldest changes and never the newest. While such a stream runs, a peer that
   * was given up is looked for, whether or not it is called. It ends when it is cancelled, or with
   * its materializer.
   */
  public Source<HealthReport, NotUsed> healthChanges() {
    return HealthReport.changes(this::handle);
  }

  /**
   * Shakes hands with the peer unless there is a path already. The future fails with {@link
   * CallException} and {@code HANDSHAKE_FAILED} if the peer cannot be reached or does not accept
   * this node.
   */
  public CompletableFuture<Void> connect() {
    return pool.connect(handle())
        .exceptionallyCompose(
            failure ->
                CompletableFuture.failedFuture(
                    new CallException(
                        CallOutcome.HANDSHAKE_FAILED, String.valueOf(failure.getMessage()))));
  }

  /**
   * Gives the peer up, for somebody who knows better than its silence says, such as a cluster that
   * has downed it. Its health becomes {@code FAILED} with this cause, what is under way with it
   * fails with {@code PEER_UNRESPONSIVE}, and what waits or is begun later with {@code
   * PEER_UNREACHABLE}. It is no ban: the peer is called again once it shakes hands again, as after
   * any failure. Returns at once; the worker does it next.
   *
   * @param cause for people: it is in the texts of what fails and in the event
   */
  public void giveUp(String cause) {
    pool.giveUp(handle(), cause);
  }

  /**
   * Calls the peer with one request; {@code join()} waits for the answer, {@code response()} has
   * its headers, too. Fails with {@link CallException}: besides what {@code docs/operations.md}
   * says of all transfers, with {@code SOURCE_FAILED} if the request cannot be encoded, with {@code
   * REQUEST_NOT_DECODED} if the peer cannot decode it, and with {@code RESPONSE_NOT_DECODED} if
   * this side cannot decode the answer.
   *
   * <p>Where there is no room, in the ring of the peer's worker or among {@code
   * millrace.limits.executor-queue} open calls, it waits, more urgent ones first; beyond {@code
   * millrace.limits.waiting-submissions} it has failed with {@code SUBMISSION_FULL} on return. If
   * the executor refuses, for one after {@link Transport#close}, it completes on the common pool.
   */
  public <Q, R> Call<R> unary(Route<Q, R> route, Q request) {
    return unary(route, request, TransferOptions.DEFAULTS);
  }

  /** Calls the peer; see {@link #unary(Route, Object)}. */
  public <Q, R> Call<R> unary(Route<Q, R> route, Q request, TransferOptions options) {
    byte[] payload;
    try {
      payload = Coding.encodeRequest(route.requests(), request);
    } catch (CodecException e) {
      return Call.failed(Calls.unencoded(e));
    }
    return unary(new UnaryRequest(route.id(), payload, options), route.answers());
  }

  /**
   * Calls the peer with a request that was sealed before, as it is: the route's codec for requests
   * is the handler's alone. Headers are those that it was sealed with, the options' must be empty.
   *
   * @throws IllegalArgumentException if the options have headers
   * @throws IllegalStateException if the payload was closed
   */
  public <R> Call<R> unary(Route<?, R> route, SealedPayload request, TransferOptions options) {
    requireNoHeaders(options);
    PeerHandle peer = handle();
    if (spans == null) {
      UnaryRequest empty = new UnaryRequest(route.id(), NO_BYTES, options);
      return new SealedCall<>(peer, empty, request.retain(1), route.answers(), lane).submit(peer);
    }
    TransferSpan span = begin(spans, peer, route.id(), Spans.UNARY, options);
    UnaryRequest empty = new UnaryRequest(route.id(), NO_BYTES, Spans.named(span, options));
    FutureCall.Answer<R> answer = Spans.answer(span, route.answers());
    Call<R> call =
        Spans.submitted(
            span,
            () -> new SealedCall<>(peer, empty, request.retain(1), answer, lane).submit(peer));
    Spans.follow(call, span);
    return call;
  }

  private static void requireNoHeaders(TransferOptions options) {
    if (!options.headers().isEmpty()) {
      throw new IllegalArgumentException("the headers were sealed with the payload");
    }
  }

  private <R> Call<R> unary(UnaryRequest request, FutureCall.Answer<R> answer) {
    checkHeaders(request.options());
    PeerHandle peer = handle();
    return spans == null
        ? FutureCall.submit(peer, request, answer, lane)
        : traced(spans, peer, request, answer);
  }

  private <R> Call<R> traced(
      Spans tracing, PeerHandle peer, UnaryRequest request, FutureCall.Answer<R> answer) {
    TransferSpan span = begin(tracing, peer, request);
    UnaryRequest named = tracing.with(span, request);
    Call<R> call =
        Spans.submitted(
            span, () -> FutureCall.submit(peer, named, Spans.answer(span, answer), lane));
    Spans.follow(call, span);
    return call;
  }

  private static TransferSpan begin(Spans spans, PeerHandle peer, UnaryRequest request) {
    return spans.begin(
        peer.identity(), request.route(), Spans.UNARY, request.payload().length, request.options());
  }

  Call<UnaryResponse> unary(UnaryRequest request) {
    return unary(request, FutureCall.Answer.RAW);
  }

  Call<UnaryResponse> unary(RouteId route, byte[] payload) {
    return unary(UnaryRequest.of(route, payload));
  }

  /**
   * Calls the peer with bytes; {@code completion} is told on the worker's thread, and nothing is
   * decoded.
   */
  public void unaryOnWorker(
      Route<?, ?> route, ByteString payload, TransferOptions options, WorkerCompletion completion) {
    unary(new UnaryRequest(route.id(), payload.toArrayUnsafe(), options), completion);
  }

  void unary(UnaryRequest request, WorkerCompletion completion) {
    checkHeaders(request.options());
    PeerHandle peer = handle();
    if (spans == null) {
      peer.submit(new WorkerCompletedCall(peer, request, completion, pool.events()));
    } else {
      submitTraced(spans, peer, request, completion);
    }
  }

  private void submitTraced(
      Spans tracing, PeerHandle peer, UnaryRequest request, WorkerCompletion completion) {
    TransferSpan span = begin(tracing, peer, request);
    UnaryRequest traced = tracing.with(span, request);
    WorkerCompletion ending = Spans.completion(span, completion);
    var _ =
        Spans.submitted(
            span,
            () -> {
              peer.submit(new WorkerCompletedCall(peer, traced, ending, pool.events()));
              return span;
            });
  }

  /**
   * A flow of calls in which at most {@code parallelism} are under way; responses come in the order
   * of their requests. The first failure fails the stream. However the stream ends, the calls that
   * are still under way end with it: the peer is told, as if they were cancelled.
   */
  public <Q, R> Flow<Q, R, NotUsed> unaryFlow(Route<Q, R> route, int parallelism) {
    return unaryFlow(route, parallelism, TransferOptions.DEFAULTS);
  }

  /** A flow of calls; see {@link #unaryFlow(Route, int)}. */
  public <Q, R> Flow<Q, R, NotUsed> unaryFlow(
      Route<Q, R> route, int parallelism, TransferOptions options) {
    checkHeaders(options);
    return unaryFlow(route, parallelism, request -> options);
  }

  /**
   * As {@link #unaryFlow(Route, int)}, with options for each element. If {@code options} throws the
   * stream fails.
   */
  public <Q, R> Flow<Q, R, NotUsed> unaryFlow(
      Route<Q, R> route, int parallelism, Function<? super Q, TransferOptions> options) {
    return calls(parallelism, request -> unary(route, request, options.apply(request)));
  }

  Flow<UnaryRequest, UnaryResponse, NotUsed> unaryFlow(int parallelism) {
    return calls(parallelism, this::unary);
  }

  private static <Q, R> Flow<Q, R, NotUsed> calls(
      int parallelism, Function<Q, CompletableFuture<R>> begin) {
    Flow<Supplier<CompletableFuture<R>>, R, NotUsed> calls =
        Flow.<Supplier<CompletableFuture<R>>>create().mapAsync(parallelism, Supplier::get);
    return BidiFlow.fromGraph(new OpenCalls<Q, R>(begin)).join(calls);
  }

  /**
   * Writes all bytes of {@code source} to what the peer's {@link BulkReceiver} of this route names.
   * The source is closed, whatever happens, also when this throws because of its arguments. The
   * call completes when the peer has verified all bytes and completed its target.
   */
  public Call<BulkReceipt> bulkWrite(Route<?, ?> route, BodySource source) {
    return bulkWrite(route, source, TransferOptions.DEFAULTS);
  }

  /** Writes all bytes of a source; see {@link #bulkWrite(Route, BodySource)}. */
  public Call<BulkReceipt> bulkWrite(
      Route<?, ?> route, BodySource source, TransferOptions options) {
    return bulkWrite(route.id(), source, options);
  }

  /**
   * Writes what was sealed before; see {@link #bulkWrite(Route, BodySource)}. Headers are those
   * that it was sealed with, the options' must be empty.
   *
   * @throws IllegalArgumentException if the options have headers
   * @throws IllegalStateException if the payload was closed
   */
  public Call<BulkReceipt> bulkWrite(
      Route<?, ?> route, SealedPayload payload, TransferOptions options) {
    requireNoHeaders(options);
    PeerHandle peer = handle();
    EndingFuture<BulkReceipt> future = new EndingFuture<>(peer);
    if (spans == null) {
      return future.submit(
          new BroadcastCall(peer, route.id(), options, payload.retain(1), future, lane), AT_ONCE);
    }
    TransferSpan span = begin(spans, peer, route.id(), Spans.BULK_WRITE, options);
    TransferOptions traced = Spans.named(span, options);
    return Spans.submitted(
        span,
        () -> {
          SharedPayload shared = payload.retain(1);
          return Spans.write(
              span,
              future.submit(
                  new BroadcastCall(peer, route.id(), traced, shared, future, lane), AT_ONCE));
        });
  }

  Call<BulkReceipt> bulkWrite(RouteId route, BodySource source, TransferOptions options) {
    return bulkWrite(route, source, options, AT_ONCE);
  }

  private Call<BulkReceipt> bulkWrite(
      RouteId route, BodySource source, TransferOptions options, CompletableFuture<?> start) {
    return Owned.giving(
        source,
        () -> {
          checkHeaders(options);
          PeerHandle peer = handle();
          if (spans == null) {
            return BulkWriteCall.submit(peer, route, source, options, lane, start);
          }
          TransferSpan span = begin(spans, peer, route, Spans.BULK_WRITE, options);
          TransferOptions traced = spans.with(span, options);
          return Spans.submitted(
              span,
              () ->
                  Spans.write(
                      span, BulkWriteCall.submit(peer, route, source, traced, lane, start)));
        });
  }

  /**
   * Reads what the peer's {@link BulkProvider} of this route names into {@code target}, which is
   * completed or aborted, whatever happens, also when this throws because of its arguments. The
   * call completes when all bytes were verified and the target has completed.
   */
  public Call<BulkReceipt> bulkRead(Route<?, ?> route, BodyTarget target) {
    return bulkRead(route, target, TransferOptions.DEFAULTS);
  }

  /** Reads into a target; see {@link #bulkRead(Route, BodyTarget)}. */
  public Call<BulkReceipt> bulkRead(Route<?, ?> route, BodyTarget target, TransferOptions options) {
    return bulkRead(route.id(), target, options);
  }

  Call<BulkReceipt> bulkRead(RouteId route, BodyTarget target, TransferOptions options) {
    return bulkRead(route, target, options, AT_ONCE);
  }

  private Call<BulkReceipt> bulkRead(
      RouteId route, BodyTarget target, TransferOptions options, CompletableFuture<?> start) {
    return Owned.giving(
        target,
        () -> {
          checkHeaders(options);
          return read(
              route,
              target,
              (from, priority, headers, bytes) -> CompletableFuture.completedFuture(target),
              options,
              start);
        });
  }

  /**
   * Reads what the peer's {@link BulkProvider} of this route names into what {@code receiver}
   * names: it is asked once, on the transport's executor, when the headers of the answer are there,
   * ahead of the first byte, and not at all if the read fails before. What it throws fails the read
   * with {@code TARGET_FAILED}. It owns nothing before, so nothing is to be given back when this
   * throws. Otherwise as {@link #bulkRead(Route, BodyTarget)}.
   */
  public Call<BulkReceipt> bulkRead(
      Route<?, ?> route, BulkReceiver receiver, TransferOptions options) {
    return bulkRead(route.id(), receiver, options);
  }

  Call<BulkReceipt> bulkRead(RouteId route, BulkReceiver receiver, TransferOptions options) {
    checkHeaders(options);
    return read(route, null, new ReceiverAcceptor(receiver), options, AT_ONCE);
  }

  private Call<BulkReceipt> read(
      RouteId route,
      @Nullable BodyTarget target,
      BodyAcceptor receiver,
      TransferOptions options,
      CompletableFuture<?> start) {
    PeerHandle peer = handle();
    if (spans == null) {
      return BulkReadCall.submit(peer, route, target, receiver, options, lane, start);
    }
    TransferSpan span = begin(spans, peer, route, Spans.BULK_READ, options);
    TransferOptions traced = spans.with(span, options);
    return Spans.submitted(
        span,
        () ->
            Spans.read(
                span, BulkReadCall.submit(peer, route, target, receiver, traced, lane, start)));
  }

  private static TransferSpan begin(
      Spans spans, PeerHandle peer, RouteId route, String pattern, TransferOptions options) {
    return spans.begin(peer.identity(), route, pattern, TracedTransfer.UNKNOWN_BYTES, options);
  }

  /**
   * A sink whose elements are written to what the peer's {@link BulkReceiver} of this route names;
   * each materialization is one transfer. The call completes when the peer has verified all bytes
   * and completed its target. If the stream fails, the transfer fails with it; if the transfer
   * fails first, the stream is cancelled. The stream is held back when its buffer of {@link
   * BulkStreams#DEFAULT_BUFFER_BYTES} and the window of the transfer are full.
   */
  public Sink<ByteString, Call<BulkReceipt>> bulkSink(Route<?, ?> route) {
    return bulkSink(route, TransferOptions.DEFAULTS);
  }

  /** A sink whose elements are written to the peer; see {@link #bulkSink(Route)}. */
  public Sink<ByteString, Call<BulkReceipt>> bulkSink(Route<?, ?> route, TransferOptions options) {
    return bulkSink(route.id(), options);
  }

  Sink<ByteString, Call<BulkReceipt>> bulkSink(RouteId route, TransferOptions options) {
    return Flow.fromGraph(new StartSignal<ByteString>())
        .toMat(BulkStreams.sink(), (start, source) -> bulkWrite(route, source, options, start));
  }

  /**
   * A source of the bytes that the peer's {@link BulkProvider} of this route names, in order; each
   * materialization is one transfer. What was seen is all there is only when the stream has
   * completed. The call completes when all bytes were verified and are in the stream's buffer of
   * {@link BulkStreams#DEFAULT_BUFFER_BYTES}, and fails as the stream does. Without demand the peer
   * is held back; cancelling ends the transfer at both sides.
   */
  public Source<ByteString, Call<BulkReceipt>> bulkSource(Route<?, ?> route) {
    return bulkSource(route, TransferOptions.DEFAULTS);
  }

  /** A source of the bytes that the peer names; see {@link #bulkSource(Route)}. */
  public Source<ByteString, Call<BulkReceipt>> bulkSource(
      Route<?, ?> route, TransferOptions options) {
    return bulkSource(route.id(), options);
  }

  Source<ByteString, Call<BulkReceipt>> bulkSource(RouteId route, TransferOptions options) {
    return BulkStreams.source()
        .viaMat(new StartSignal<>(), (target, start) -> bulkRead(route, target, options, start));
  }

  /**
   * As {@link #bulkSource(Route)}; besides, the first of the two completes with the headers of the
   * answer, ahead of any element, and fails as the second one does if there is no answer.
   */
  public Source<ByteString, Pair<CompletionStage<Headers>, Call<BulkReceipt>>>
      bulkSourceWithHeaders(Route<?, ?> route, TransferOptions options) {
    return bulkSourceWithHeaders(route.id(), options);
  }

  Source<ByteString, Pair<CompletionStage<Headers>, Call<BulkReceipt>>> bulkSourceWithHeaders(
      RouteId route, TransferOptions options) {
    checkHeaders(options);
    return BulkStreams.source()
        .viaMat(
            new StartSignal<>(), (target, start) -> readWithHeaders(route, target, options, start));
  }

  private Pair<CompletionStage<Headers>, Call<BulkReceipt>> readWithHeaders(
      RouteId route, BodyTarget target, TransferOptions options, CompletableFuture<?> start) {
    CompletableFuture<Headers> headers = new CompletableFuture<>();
    BodyAcceptor receiver =
        (from, priority, answered, bytes) -> {
          headers.complete(Headers.decode(answered));
          return CompletableFuture.completedFuture(target);
        };
    Call<BulkReceipt> receipt = read(route, target, receiver, options, start);
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
   * graph starts. It fails with {@link CallException}, as {@link #unary} does; a response that
   * cannot be decoded fails it after those ahead of it and ends the stream at both sides. Without
   * demand the peer is held back; cancelling ends the stream at both sides.
   */
  public <Q, R> Source<R, NotUsed> streamingResponse(Route<Q, R> route, Q request) {
    return streamingResponse(route, request, TransferOptions.DEFAULTS);
  }

  /** A source of the peer's responses; see {@link #streamingResponse(Route, Object)}. */
  public <Q, R> Source<R, NotUsed> streamingResponse(
      Route<Q, R> route, Q request, TransferOptions options) {
    return streamingResponseWithHeaders(route, request, options)
        .mapMaterializedValue(_ -> NotUsed.getInstance());
  }

  /**
   * As {@link #streamingResponse(Route, Object)}; the stage completes with the response's headers,
   * ahead of any element, and fails as the source does.
   */
  public <Q, R> Source<R, CompletionStage<Headers>> streamingResponseWithHeaders(
      Route<Q, R> route, Q request, TransferOptions options) {
    checkHeaders(options);
    return Calls.streamingResponse(streams, route, request, options);
  }

  Source<byte[], CompletionStage<byte[]>> streamingResponse(UnaryRequest request) {
    checkHeaders(request.options());
    return streams.response(request, Function.identity());
  }

  /**
   * A sink of the requests of one stream, which it opens when its graph starts; the call is its one
   * response. The sink asks for no more than the peer takes; if the peer wants no more it cancels,
   * and the response may follow. If a request cannot be encoded the call fails with {@code
   * SOURCE_FAILED}, if the peer cannot decode one with {@code REQUEST_NOT_DECODED}, if this side
   * cannot decode the response with {@code RESPONSE_NOT_DECODED}.
   */
  public <Q, R> Sink<Q, Call<R>> streamingRequest(Route<Q, R> route) {
    return streamingRequest(route, TransferOptions.DEFAULTS);
  }

  /** A sink of the requests of one stream; see {@link #streamingRequest(Route)}. */
  public <Q, R> Sink<Q, Call<R>> streamingRequest(Route<Q, R> route, TransferOptions options) {
    checkHeaders(options);
    return Calls.streamingRequest(streams, route, options);
  }

  Sink<byte[], Call<UnaryResponse>> streamingRequest(RouteId route, TransferOptions options) {
    checkHeaders(options);
    return streams.request(route, options, Function.<byte[]>identity(), FutureCall.Answer.RAW);
  }

  /**
   * A flow whose elements go to the peer and whose elements come from it, paced and closed
   * independently; each materialization opens a stream when its graph starts. A direction fails
   * with {@link CallException} alone, unless the peer is lost. If a request cannot be encoded, the
   * peer's handler sees its requests fail with {@code SOURCE_FAILED}, and the responses end as it
   * answers that. If the peer cannot decode a request, the responses fail with {@code
   * REQUEST_NOT_DECODED} and no more requests are taken. If this side cannot decode a response,
   * they fail with {@code RESPONSE_NOT_DECODED}, the peer is told that no more are wanted, and the
   * requests go on until it wants no more of them.
   */
  public <Q, R> Flow<Q, R, NotUsed> bidirectional(Route<Q, R> route) {
    return bidirectional(route, TransferOptions.DEFAULTS);
  }

  /** A flow to the peer and back; see {@link #bidirectional(Route)}. */
  public <Q, R> Flow<Q, R, NotUsed> bidirectional(Route<Q, R> route, TransferOptions options) {
    return bidirectionalWithHeaders(route, options)
        .mapMaterializedValue(_ -> NotUsed.getInstance());
  }

  /**
   * As {@link #bidirectional(Route)}; the stage completes with the response's headers, ahead of any
   * element, and fails as the responses do.
   */
  public <Q, R> Flow<Q, R, CompletionStage<Headers>> bidirectionalWithHeaders(
      Route<Q, R> route, TransferOptions options) {
    checkHeaders(options);
    return Calls.bidirectional(streams, route, options);
  }

  Flow<byte[], byte[], CompletionStage<byte[]>> bidirectional(
      RouteId route, TransferOptions options) {
    checkHeaders(options);
    return streams.bidirectional(
        route, options, Function.<byte[]>identity(), Function.<byte[]>identity());
  }

  /** Where its calls go. */
  PeerHandle handle() {
    PeerHandle known = current;
    if (known.isStranded()) {
      known = pool.current(known);
      current = known;
    }
    return known;
  }

  /** Whether it is a peer of this node. */
  boolean isOf(TransportPool node) {
    return pool == node;
  }

  private void checkHeaders(TransferOptions options) {
    checkHeaders(options.headerBlock(), limits);
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
