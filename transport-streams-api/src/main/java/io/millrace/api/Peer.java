package io.millrace.api;

import io.millrace.api.bulk.BulkProvider;
import io.millrace.api.bulk.BulkReceipt;
import io.millrace.api.bulk.BulkReceiver;
import io.millrace.api.bulk.BulkStreams;
import io.millrace.api.codec.CodecException;
import io.millrace.body.BodyAcceptor;
import io.millrace.config.LimitSettings;
import io.millrace.config.WaitingSettings.RetrySettings;
import io.millrace.ends.ExecutorLane;
import io.millrace.ends.retry.RetryBudgets;
import io.millrace.ends.retry.RetryRoom;
import io.millrace.engine.TransportPool;
import io.millrace.path.peer.PeerHandle;
import io.millrace.trace.TracedTransfer;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Headers;
import io.millrace.transfer.RetryPolicy;
import io.millrace.wire.RouteId;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
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
 * Another node, named by its handshake address, to which this node makes calls, streams and bulk
 * transfers. Safe on any thread. The first call begins the handshake, and calls wait until the
 * handshake has ended.
 *
 * <p>A sink, source or flow begins its transfer when its graph starts. If another stage of the
 * graph cannot be created, no transfer begins, and the materialized value never completes.
 */
public final class Peer {
  private static final byte[] NO_BYTES = {};
  private static final CompletableFuture<?> AT_ONCE =
      CompletableFuture.completedFuture(Done.getInstance());

  private final TransportPool pool;

  /**
   * The handle for new calls; a new handle replaces it once the worker of the old handle has
   * stopped.
   */
  private volatile PeerHandle current;

  private final ExecutorLane lane;
  private final LimitSettings limits;
  private final Spans spans;
  private final PeerStreams streams;

  private final FutureCall.Retries retries;
  private final RetryPolicy nodePolicy;

  Peer(
      TransportPool pool,
      PeerHandle handle,
      NodeExecutors executors,
      NodeExecutors.Streams owner,
      Spans spans,
      RetryRoom room) {
    this.pool = pool;
    this.spans = spans;
    current = handle;
    lane = executors.lane();
    streams = new PeerStreams(this::handle, pool.settings(), spans, owner);
    limits = pool.settings().limits();
    retries = new FutureCall.Retries(this::handle, new RetryBudgets(), room, List.of());
    nodePolicy = policy(limits.waiting().retries());
  }

  private Peer(Peer first, List<FutureCall.Retries> others) {
    pool = first.pool;
    spans = first.spans;
    current = first.current;
    lane = first.lane;
    streams = first.streams;
    limits = first.limits;
    nodePolicy = first.nodePolicy;
    FutureCall.Retries own = first.retries;
    retries = new FutureCall.Retries(own.handle(), own.budgets(), own.room(), others);
  }

  /**
   * Returns the same peer for calls that other peers may answer as well, such as the replicas of a
   * service. A unary call with a policy for retries ({@link TransferOptions#withRetry}) goes to
   * this peer first, and further attempts go to the next peer in this order that takes calls; after
   * the last peer, to this peer again. The first attempt at a peer needs no pause. All other
   * transfers go to this peer only.
   *
   * @param others peers of the same transport
   * @throws IllegalArgumentException if a peer belongs to another transport
   */
  public Peer withFallbacks(List<Peer> others) {
    for (Peer other : Objects.requireNonNull(others, "others")) {
      if (other.pool != pool) {
        throw new IllegalArgumentException(other + " is a peer of another transport");
      }
    }
    return new Peer(this, others.stream().map(other -> other.retries).toList());
  }

  /** Returns the peer's handshake address, host:port, numeric. */
  public String address() {
    return handle().identity();
  }

  /**
   * Returns this node's present knowledge of the peer's health, from packets to and from the peer.
   * New calls to a {@code PROBING} or {@code FAILED} peer fail at once with {@code
   * PEER_UNREACHABLE}. New calls to a {@code DEGRADED} peer are less urgent by {@code
   * millrace.recovery.health.degraded-priority}. Costs a volatile read.
   */
  public HealthReport health() {
    return HealthReport.now(current);
  }

  /**
   * Streams the peer's health: first the health when the stream begins, then each change. A slow
   * stream loses the oldest changes and never the newest. While such a stream runs, the node looks
   * for a peer that was given up, even without calls to the peer. The stream ends by cancellation,
   * or with the materializer.
   */
  public Source<HealthReport, NotUsed> healthChanges() {
    return HealthReport.changes(this::handle);
  }

  /**
   * Shakes hands with the peer unless a path exists already. The future fails with {@link
   * CallException} and {@code HANDSHAKE_FAILED} if the peer cannot be reached or does not accept
   * this node.
   */
  public CompletableFuture<Void> connect() {
    return pool.connect(handle())
        .exceptionallyCompose(
            failure ->
                CompletableFuture.failedFuture(
                    CallException.notSent(
                        CallOutcome.HANDSHAKE_FAILED,
                        String.valueOf(failure.getMessage()),
                        CallException.Site.of(address(), ""))));
  }

  /**
   * Gives the peer up, for an application that knows more than the peer's silence tells, such as a
   * cluster that has downed the peer. The peer's health becomes {@code FAILED} with this cause.
   * Transfers under way with the peer fail with {@code PEER_UNRESPONSIVE}; waiting and later
   * transfers fail with {@code PEER_UNREACHABLE}. This is no ban: calls reach the peer again once
   * the peer shakes hands again, as after any failure. Returns at once; the peer's worker gives the
   * peer up in its next turn.
   *
   * @param cause for people: part of the messages of the failed calls and of the event
   */
  public void giveUp(String cause) {
    Objects.requireNonNull(cause, "cause");
    pool.giveUp(handle(), cause);
  }

  /**
   * Calls the peer with one request; {@code join()} waits for the answer, {@code response()} has
   * its headers, too. The call fails with {@link CallException}; {@link
   * io.millrace.transfer.CallOutcome} lists the errors of all transfers. The call also fails with
   * {@code SOURCE_FAILED} if the request cannot be encoded, with {@code REQUEST_NOT_DECODED} if the
   * peer cannot decode the request, and with {@code RESPONSE_NOT_DECODED} if this side cannot
   * decode the answer.
   *
   * <p>The call waits, urgent calls first, while the ring of the peer's worker is full or {@code
   * millrace.limits.executor-queue} calls are open. If {@code millrace.limits.waiting-submissions}
   * calls wait already, the returned call has failed with {@code SUBMISSION_FULL}. If the executor
   * refuses the completion, for example after {@link Transport#close}, the call completes on the
   * common pool.
   */
  public <Q, R> Call<R> unary(Route<Q, R> route, Q request) {
    return unary(route, request, TransferOptions.DEFAULTS);
  }

  /** Calls the peer with one request and these options; see {@link #unary(Route, Object)}. */
  public <Q, R> Call<R> unary(Route<Q, R> route, Q request, TransferOptions options) {
    Objects.requireNonNull(route, "route");
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(options, "options");
    byte[] payload;
    try {
      payload = Coding.encodeRequest(route.requests(), request);
    } catch (CodecException e) {
      return Call.failed(
          CallException.unencoded(e, CallException.Site.of(address(), route.name())));
    }
    boolean isIdempotent = route.isIdempotent() || options.isIdempotent();
    RetryPolicy policy = options.retry(route.retry(), nodePolicy(isIdempotent));
    TransferOptions known =
        policy != null && isIdempotent != options.isIdempotent()
            ? options.withIdempotent()
            : options;
    return unary(new UnaryRequest(route.id(), payload, known), route.answers(), policy);
  }

  private @Nullable RetryPolicy nodePolicy(boolean isIdempotent) {
    return switch (limits.waiting().retries().calls()) {
      case NONE -> null;
      case IDEMPOTENT -> isIdempotent ? nodePolicy : null;
      case ALL -> nodePolicy;
    };
  }

  private static RetryPolicy policy(RetrySettings settings) {
    return new RetryPolicy(
        settings.attempts(),
        Duration.ofNanos(settings.backoffNs()),
        Duration.ofNanos(settings.maxBackoffNs()),
        settings.budgetPercent(),
        settings.budgetBurst());
  }

  /**
   * Calls the peer with a payload sealed before. The payload goes unchanged, and only the handler
   * uses the route's codec for requests. The request has the headers of the sealing; the options
   * must have no headers.
   *
   * @throws IllegalArgumentException if the options have headers
   * @throws IllegalStateException if the payload was closed
   */
  public <R> Call<R> unary(Route<?, R> route, SealedPayload request, TransferOptions options) {
    Objects.requireNonNull(route, "route");
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(options, "options");
    requireNoHeaders(options);
    PeerHandle peer = handle();
    Spans.CallSpan span = begin(peer, route.id(), Spans.UNARY, options);
    try {
      UnaryRequest empty = new UnaryRequest(route.id(), NO_BYTES, span.named(options));
      FutureCall.Answer<R> answer = span.answer(route.answers());
      return span.unary(
          Owned.giving(request, held -> new FutureCall.OfPayload<>(peer, empty, held, answer, lane))
              .submit(peer));
    } catch (RuntimeException | Error e) {
      span.end(e);
      throw e;
    }
  }

  private static void requireNoHeaders(TransferOptions options) {
    if (!options.headers().isEmpty()) {
      throw new IllegalArgumentException(
          "the payload has the headers of its sealing: the options must have no headers");
    }
  }

  private <R> Call<R> unary(
      UnaryRequest request, FutureCall.Answer<R> answer, @Nullable RetryPolicy policy) {
    checkHeaders(request.options());
    PeerHandle peer = handle();
    Spans.CallSpan span = begin(peer, request);
    try {
      UnaryRequest traced = span.with(request);
      FutureCall.Attempt first =
          policy == null ? null : FutureCall.Attempt.first(retries, policy, traced);
      return span.unary(FutureCall.submit(peer, traced, span.answer(answer), lane, first));
    } catch (RuntimeException | Error e) {
      span.end(e);
      throw e;
    }
  }

  private Spans.CallSpan begin(PeerHandle peer, UnaryRequest request) {
    return spans.begin(
        peer.identity(), request.route(), Spans.UNARY, request.payload().length, request.options());
  }

  /**
   * Calls the peer with bytes, and calls {@code completion} on the worker's thread with the
   * undecoded answer.
   */
  public void unaryOnWorker(
      Route<?, ?> route, ByteString payload, TransferOptions options, WorkerCompletion completion) {
    Objects.requireNonNull(route, "route");
    Objects.requireNonNull(payload, "payload");
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(completion, "completion");
    UnaryRequest request = new UnaryRequest(route.id(), payload.toArrayUnsafe(), options);
    checkHeaders(options);
    PeerHandle peer = handle();
    Spans.CallSpan span = begin(peer, request);
    try {
      UnaryRequest named = span.with(request);
      WorkerCompletion ending = span.completion(completion);
      peer.submit(WorkerCompletedCall.of(peer, named, ending, pool.events()));
    } catch (RuntimeException | Error e) {
      span.end(e);
      throw e;
    }
  }

  /**
   * Returns a flow of calls with at most {@code parallelism} calls under way; responses come in the
   * order of the requests. The first failure fails the stream. However the stream ends, the calls
   * still under way end with the stream: the node tells the peer, as for cancelled calls.
   */
  public <Q, R> Flow<Q, R, NotUsed> unaryFlow(Route<Q, R> route, int parallelism) {
    return unaryFlow(route, parallelism, TransferOptions.DEFAULTS);
  }

  /**
   * Returns a flow of calls with these options for each call; see {@link #unaryFlow(Route, int)}.
   */
  public <Q, R> Flow<Q, R, NotUsed> unaryFlow(
      Route<Q, R> route, int parallelism, TransferOptions options) {
    Objects.requireNonNull(options, "options");
    checkHeaders(options);
    return unaryFlow(route, parallelism, request -> options);
  }

  /**
   * Returns a flow of calls with options of its own for each element; otherwise as {@link
   * #unaryFlow(Route, int)}. If {@code options} throws, the stream fails.
   */
  public <Q, R> Flow<Q, R, NotUsed> unaryFlow(
      Route<Q, R> route, int parallelism, Function<? super Q, TransferOptions> options) {
    Objects.requireNonNull(route, "route");
    Objects.requireNonNull(options, "options");
    return calls(parallelism, request -> unary(route, request, options.apply(request)));
  }

  /** Returns a flow of calls; the stream ends the calls still under way. */
  static <Q, R> Flow<Q, R, NotUsed> calls(
      int parallelism, Function<Q, CompletableFuture<R>> begin) {
    Flow<Supplier<CompletableFuture<R>>, R, NotUsed> calls =
        Flow.<Supplier<CompletableFuture<R>>>create().mapAsync(parallelism, Supplier::get);
    return BidiFlow.fromGraph(new OpenCalls<Q, R>(begin)).join(calls);
  }

  /**
   * Writes all bytes of {@code source} to the target that the peer's {@link BulkReceiver} of this
   * route chooses. The call closes the source in every case, also when this method throws because
   * of its arguments. The call completes when the peer has verified all bytes and completed its
   * target.
   */
  public Call<BulkReceipt> bulkWrite(Route<?, ?> route, BodySource source) {
    return bulkWrite(route, source, TransferOptions.DEFAULTS);
  }

  /** Writes all bytes of a source with these options; see {@link #bulkWrite(Route, BodySource)}. */
  public Call<BulkReceipt> bulkWrite(
      Route<?, ?> route, BodySource source, TransferOptions options) {
    return bulkWrite(route, source, options, AT_ONCE);
  }

  /**
   * Writes a payload sealed before; see {@link #bulkWrite(Route, BodySource)}. The write has the
   * headers of the sealing; the options must have no headers.
   *
   * @throws IllegalArgumentException if the options have headers
   * @throws IllegalStateException if the payload was closed
   */
  public Call<BulkReceipt> bulkWrite(
      Route<?, ?> route, SealedPayload payload, TransferOptions options) {
    Objects.requireNonNull(route, "route");
    Objects.requireNonNull(payload, "payload");
    Objects.requireNonNull(options, "options");
    requireNoHeaders(options);
    PeerHandle peer = handle();
    EndingFuture<BulkReceipt> future = new EndingFuture<>(peer);
    Spans.CallSpan span = begin(peer, route.id(), Spans.BULK_WRITE, options);
    try {
      TransferOptions named = span.named(options);
      WriteCall call =
          Owned.giving(
              payload,
              held -> new WriteCall.OfPayload(peer, route.id(), named, held, future, lane));
      return span.write(future.submit(call, AT_ONCE));
    } catch (RuntimeException | Error e) {
      span.end(e);
      throw e;
    }
  }

  private Call<BulkReceipt> bulkWrite(
      Route<?, ?> to, BodySource source, TransferOptions options, CompletableFuture<?> start) {
    return Owned.giving(
        source,
        () -> {
          Objects.requireNonNull(options, "options");
          RouteId route = Objects.requireNonNull(to, "route").id();
          checkHeaders(options);
          PeerHandle peer = handle();
          Spans.CallSpan span = begin(peer, route, Spans.BULK_WRITE, options);
          try {
            TransferOptions named = span.with(options);
            return span.write(WriteCall.OfSource.submit(peer, route, source, named, lane, start));
          } catch (RuntimeException | Error e) {
            span.end(e);
            throw e;
          }
        });
  }

  /**
   * Reads the source that the peer's {@link BulkProvider} of this route chooses into {@code
   * target}. The call completes or aborts the target in every case, also when this method throws
   * because of its arguments. The call completes when all bytes are verified and the target has
   * completed.
   */
  public Call<BulkReceipt> bulkRead(Route<?, ?> route, BodyTarget target) {
    return bulkRead(route, target, TransferOptions.DEFAULTS);
  }

  /** Reads into a target with these options; see {@link #bulkRead(Route, BodyTarget)}. */
  public Call<BulkReceipt> bulkRead(Route<?, ?> route, BodyTarget target, TransferOptions options) {
    return bulkRead(route, target, options, AT_ONCE);
  }

  private Call<BulkReceipt> bulkRead(
      Route<?, ?> from, BodyTarget target, TransferOptions options, CompletableFuture<?> start) {
    return Owned.giving(
        target,
        () -> {
          Objects.requireNonNull(from, "route");
          Objects.requireNonNull(options, "options");
          checkHeaders(options);
          return read(
              from.id(),
              target,
              (peer, priority, headers, bytes) -> CompletableFuture.completedFuture(target),
              options,
              start);
        });
  }

  /**
   * Reads the source that the peer's {@link BulkProvider} of this route chooses into the target
   * that {@code receiver} chooses. The node asks the receiver once, on the transport's executor,
   * when the headers of the answer are there, ahead of the first byte. If the read fails earlier,
   * the node does not ask the receiver. An exception of the receiver fails the read with {@code
   * TARGET_FAILED}. The receiver has chosen no target before the node asks, so no target remains
   * open when this method throws. Otherwise as {@link #bulkRead(Route, BodyTarget)}.
   */
  public Call<BulkReceipt> bulkRead(
      Route<?, ?> route, BulkReceiver receiver, TransferOptions options) {
    Objects.requireNonNull(route, "route");
    Objects.requireNonNull(receiver, "receiver");
    Objects.requireNonNull(options, "options");
    checkHeaders(options);
    return read(route.id(), null, new ReceiverAcceptor(receiver), options, AT_ONCE);
  }

  private Call<BulkReceipt> read(
      RouteId route,
      @Nullable BodyTarget target,
      BodyAcceptor receiver,
      TransferOptions options,
      CompletableFuture<?> start) {
    PeerHandle peer = handle();
    Spans.CallSpan span = begin(peer, route, Spans.BULK_READ, options);
    try {
      TransferOptions named = span.with(options);
      return span.read(BulkReadCall.submit(peer, route, target, receiver, named, lane, start));
    } catch (RuntimeException | Error e) {
      span.end(e);
      throw e;
    }
  }

  private Spans.CallSpan begin(
      PeerHandle peer, RouteId route, String pattern, TransferOptions options) {
    return spans.begin(peer.identity(), route, pattern, TracedTransfer.UNKNOWN_BYTES, options);
  }

  /**
   * Returns a sink that writes its elements to the target chosen by the peer's {@link BulkReceiver}
   * of this route; each materialization is one transfer. The call completes when the peer has
   * verified all bytes and completed its target. If the stream fails, the transfer fails, too; if
   * the transfer fails first, the sink cancels the stream. The sink holds the stream back when the
   * buffer of {@link BulkStreams#DEFAULT_BUFFER_BYTES} and the window of the transfer are full.
   */
  public Sink<ByteString, Call<BulkReceipt>> bulkSink(Route<?, ?> route) {
    return bulkSink(route, TransferOptions.DEFAULTS);
  }

  /**
   * Returns a sink that writes its elements to the peer with these options; see {@link
   * #bulkSink(Route)}.
   */
  public Sink<ByteString, Call<BulkReceipt>> bulkSink(Route<?, ?> route, TransferOptions options) {
    Objects.requireNonNull(route, "route");
    Objects.requireNonNull(options, "options");
    return Flow.fromGraph(new PeerStreams.StartSignal<ByteString>())
        .toMat(BulkStreams.sink(), (start, source) -> bulkWrite(route, source, options, start));
  }

  /**
   * Returns a source of the bytes that the peer's {@link BulkProvider} of this route supplies, in
   * order; each materialization is one transfer. The bytes are complete only when the stream has
   * completed. The call completes when all bytes are verified and in the stream's buffer of {@link
   * BulkStreams#DEFAULT_BUFFER_BYTES}, and fails as the stream does. Without demand the source
   * holds the peer back; if the stream is cancelled, the transfer ends at both sides.
   */
  public Source<ByteString, Call<BulkReceipt>> bulkSource(Route<?, ?> route) {
    return bulkSource(route, TransferOptions.DEFAULTS);
  }

  /** Returns a source of the peer's bytes with these options; see {@link #bulkSource(Route)}. */
  public Source<ByteString, Call<BulkReceipt>> bulkSource(
      Route<?, ?> route, TransferOptions options) {
    Objects.requireNonNull(route, "route");
    Objects.requireNonNull(options, "options");
    return BulkStreams.source()
        .viaMat(
            new PeerStreams.StartSignal<>(),
            (target, start) -> bulkRead(route, target, options, start));
  }

  /**
   * Returns a source of the peer's bytes together with the headers of the answer; otherwise as
   * {@link #bulkSource(Route)}. The stage of headers completes ahead of any element, and fails as
   * the call does if no answer comes.
   */
  public Source<ByteString, Pair<CompletionStage<Headers>, Call<BulkReceipt>>>
      bulkSourceWithHeaders(Route<?, ?> route, TransferOptions options) {
    Objects.requireNonNull(route, "route");
    Objects.requireNonNull(options, "options");
    checkHeaders(options);
    return BulkStreams.source()
        .viaMat(
            new PeerStreams.StartSignal<>(),
            (target, start) -> readWithHeaders(route.id(), target, options, start));
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
   * Returns a source of the peer's responses to one request; each materialization opens a stream
   * when its graph starts. The source fails with {@link CallException}, as {@link #unary} does. An
   * undecodable response fails the source after the earlier responses, and ends the stream at both
   * sides. Without demand the source holds the peer back; if the source is cancelled, the stream
   * ends at both sides.
   */
  public <Q, R> Source<R, NotUsed> streamingResponse(Route<Q, R> route, Q request) {
    return streamingResponse(route, request, TransferOptions.DEFAULTS);
  }

  /**
   * Returns a source of the peer's responses with these options; see {@link
   * #streamingResponse(Route, Object)}.
   */
  public <Q, R> Source<R, NotUsed> streamingResponse(
      Route<Q, R> route, Q request, TransferOptions options) {
    return streamingResponseWithHeaders(route, request, options)
        .mapMaterializedValue(_ -> NotUsed.getInstance());
  }

  /**
   * Returns a source of the peer's responses together with the response's headers; otherwise as
   * {@link #streamingResponse(Route, Object)}. The stage of headers completes ahead of any element,
   * and fails as the source does.
   */
  public <Q, R> Source<R, CompletionStage<Headers>> streamingResponseWithHeaders(
      Route<Q, R> route, Q request, TransferOptions options) {
    Objects.requireNonNull(route, "route");
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(options, "options");
    checkHeaders(options);
    return streams.streamingResponse(route, request, options);
  }

  /**
   * Returns a sink of the requests of one stream; the call is the stream's single response. Each
   * materialization opens a stream when its graph starts. The sink asks for no more requests than
   * the peer takes. If the peer wants no more requests, the sink cancels, and the response may
   * follow. The call fails with {@code SOURCE_FAILED} if a request cannot be encoded, and with
   * {@code REQUEST_NOT_DECODED} if the peer cannot decode a request. If this side cannot decode the
   * response, the call fails with {@code RESPONSE_NOT_DECODED}.
   */
  public <Q, R> Sink<Q, Call<R>> streamingRequest(Route<Q, R> route) {
    return streamingRequest(route, TransferOptions.DEFAULTS);
  }

  /**
   * Returns a sink of the requests of one stream with these options; see {@link
   * #streamingRequest(Route)}.
   */
  public <Q, R> Sink<Q, Call<R>> streamingRequest(Route<Q, R> route, TransferOptions options) {
    Objects.requireNonNull(route, "route");
    Objects.requireNonNull(options, "options");
    checkHeaders(options);
    return streams.streamingRequest(route, options);
  }

  /**
   * Returns a flow of requests to the peer and responses from the peer. Each direction has its own
   * pace and its own end; each materialization opens a stream when its graph starts. A failed
   * direction, with {@link CallException}, does not fail the other direction, unless the peer is
   * lost. If a request cannot be encoded, the peer's handler sees its requests fail with {@code
   * SOURCE_FAILED}, and its answer to this failure ends the responses. If the peer cannot decode a
   * request, the responses fail with {@code REQUEST_NOT_DECODED} and the flow takes no more
   * requests. If this side cannot decode a response, the responses fail with {@code
   * RESPONSE_NOT_DECODED}, and the node tells the peer to send no more responses. The requests then
   * go on until the peer wants no more requests.
   */
  public <Q, R> Flow<Q, R, NotUsed> bidirectional(Route<Q, R> route) {
    return bidirectional(route, TransferOptions.DEFAULTS);
  }

  /** Returns a flow to the peer and back with these options; see {@link #bidirectional(Route)}. */
  public <Q, R> Flow<Q, R, NotUsed> bidirectional(Route<Q, R> route, TransferOptions options) {
    return bidirectionalWithHeaders(route, options)
        .mapMaterializedValue(_ -> NotUsed.getInstance());
  }

  /**
   * Returns a flow to the peer and back together with the response's headers; otherwise as {@link
   * #bidirectional(Route)}. The stage of headers completes ahead of any element, and fails as the
   * responses do.
   */
  public <Q, R> Flow<Q, R, CompletionStage<Headers>> bidirectionalWithHeaders(
      Route<Q, R> route, TransferOptions options) {
    Objects.requireNonNull(route, "route");
    Objects.requireNonNull(options, "options");
    checkHeaders(options);
    return streams.bidirectional(route, options);
  }

  /** The handle for calls to this peer. */
  PeerHandle handle() {
    PeerHandle known = current;
    if (known.isStranded()) {
      known = pool.current(known);
      current = known;
    }
    return known;
  }

  /** Whether this peer belongs to this node. */
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
