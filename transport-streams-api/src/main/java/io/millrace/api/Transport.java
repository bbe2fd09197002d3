package io.millrace.api;

import io.millrace.access.AccessPolicy;
import io.millrace.api.bulk.BulkProvider;
import io.millrace.api.bulk.BulkReceiver;
import io.millrace.config.TransportSettings;
import io.millrace.crypto.AeadProvider;
import io.millrace.driver.DriverProvider;
import io.millrace.engine.JvmFlags;
import io.millrace.engine.NodeEnvironment;
import io.millrace.engine.PoolOptions;
import io.millrace.engine.StartThread;
import io.millrace.engine.TransportPool;
import io.millrace.event.EventSubscription;
import io.millrace.event.Subscriber;
import io.millrace.event.SubscriptionOptions;
import io.millrace.event.TransportEvents;
import io.millrace.node.CallerLoop;
import io.millrace.node.DrainReport;
import io.millrace.node.HangAction;
import io.millrace.node.NodeWorld;
import io.millrace.path.causality.Dependencies;
import io.millrace.path.peer.PeerHandle;
import io.millrace.protocol.stream.StreamPattern;
import io.millrace.trace.Tracing;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.CausalityToken;
import io.millrace.transfer.Headers;
import io.millrace.transfer.Protection;
import io.millrace.wire.RouteId;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.ClassicActorSystemProvider;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.japi.function.Function;
import org.apache.pekko.japi.function.Function2;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.SystemMaterializer;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * A node of a cluster: it serves routes and calls peers. Safe on any thread; start one a process
 * and share it.
 */
public final class Transport implements AutoCloseable {
  private final TransportPool pool;
  private final NodeExecutors executors;
  private final ProcessLife life;
  private final RouteServing serving;
  private final PayloadSealing sealing;
  private final ConcurrentHashMap<PeerHandle, Peer> peers = new ConcurrentHashMap<>();

  private final @Nullable Spans spans;

  private Transport(
      TransportPool pool,
      NodeExecutors executors,
      @Nullable LifeOf life,
      @Nullable Tracing tracing) {
    this.pool = pool;
    spans = tracing == null ? null : new Spans(tracing, pool.settings().limits());
    this.executors = executors;
    this.life = life == null ? ProcessLife.ofNobody(this) : life.of(this);
    serving =
        new RouteServing(pool, executors.lane(), this::materializer, this.life::onServing, spans);
    sealing = new PayloadSealing(pool, executors.lane(), spans);
  }

  /**
   * Starts a node with an actor system and an executor of its own. While it serves a route the
   * process lives, until the node is closed. A process that is told to end (SIGTERM, or {@code
   * System.exit}) drains the node first, for {@code millrace.limits.shutdown-drain} at most, and
   * closes it.
   *
   * @throws io.millrace.node.TransportException if it cannot be started, with one sentence why
   * @throws io.millrace.config.SettingsException if settings contradict each other
   */
  public static Transport start(TransportSettings settings) {
    return builder(settings).start();
  }

  /**
   * Starts a node in the application's actor system, by the block {@code millrace} of the system's
   * own configuration, {@code application.conf} as a rule. Coordinated shutdown of the system
   * drains the node in the phase {@code service-requests-done} and closes it in {@code
   * service-stop}.
   *
   * <p>It may be called in the setup of the guardian actor: what it throws then ends the system. If
   * it throws elsewhere the system goes on and keeps the process alive; terminate it.
   *
   * @param system classic or typed
   * @throws io.millrace.node.TransportException if it cannot be started, with one sentence why
   * @throws io.millrace.config.SettingsException if settings contradict each other
   */
  public static Transport create(ClassicActorSystemProvider system) {
    ActorSystem<?> typed = Adapter.toTyped(system.classicSystem());
    return builder(TransportSettings.from(typed.settings().config())).system(typed).start();
  }

  /** Starts a node with more choices than settings can express. */
  public static Builder builder(TransportSettings settings) {
    return new Builder(settings);
  }

  /** This node's handshake address, host:port: what peers call it by. */
  public String address() {
    return pool.address();
  }

  /**
   * Answers each request of a route with one response, until its registration is closed, or the
   * transport. The handler runs on the executor and may block as that allows. What it throws, or
   * its stage fails with, reaches the caller as {@link CallException} with {@code HANDLER_FAILED}
   * and the message's text; a request that cannot be decoded never reaches it. If the caller gives
   * the call up first, or is lost, the handler is not run any more, or a {@link
   * java.util.concurrent.CompletableFuture} that it returned is cancelled; return a copy of one
   * that others wait for, too.
   *
   * @throws IllegalArgumentException if the route is served already
   */
  public <Q, R> Registration serve(
      Route<Q, R> route, Function<? super Q, ? extends CompletionStage<R>> handler) {
    return serving.unary(route.id(), RequestAcceptor.ALL, Serving.unary(route, handler));
  }

  /** As {@link #serve(Route, Function)}; the handler sees who calls, and the headers. */
  public <Q, R> Registration serve(
      Route<Q, R> route, Function2<? super Q, CallContext, ? extends CompletionStage<R>> handler) {
    return serve(route, ServeOptions.DEFAULTS, handler);
  }

  /** As {@link #serve(Route, Function)}, with options. */
  public <Q, R> Registration serve(
      Route<Q, R> route,
      ServeOptions options,
      Function2<? super Q, CallContext, ? extends CompletionStage<R>> handler) {
    return serve(route.id(), options.acceptor(), Serving.unary(route, handler));
  }

  Registration serve(RouteId route, UnaryHandler handler) {
    return serve(route, RequestAcceptor.ALL, handler);
  }

  Registration serve(RouteId route, RequestAcceptor acceptor, UnaryHandler handler) {
    return serving.unary(
        route,
        acceptor,
        ExecutorHandler.Work.of(
            handler::handle, java.util.function.Function.<UnaryResponse>identity()));
  }

  /**
   * Answers each request of a route on the worker's thread, undecoded, until its registration is
   * closed, or the transport.
   *
   * @throws IllegalArgumentException if the route is served already
   */
  public Registration serveOnWorker(Route<?, ?> route, WorkerHandler handler) {
    return serveOnWorker(route, ServeOptions.DEFAULTS, handler);
  }

  /**
   * As {@link #serveOnWorker(Route, WorkerHandler)}, with options. Of a payload that does not fit a
   * datagram the acceptor is asked on the executor, as ever; of others on the worker's thread,
   * right ahead of the handler, so it must be quick, and an offer is allocated for each.
   */
  public Registration serveOnWorker(
      Route<?, ?> route, ServeOptions options, WorkerHandler handler) {
    return serveOnWorker(route.id(), options.acceptor(), handler);
  }

  Registration serveOnWorker(RouteId route, WorkerHandler handler) {
    return serveOnWorker(route, RequestAcceptor.ALL, handler);
  }

  Registration serveOnWorker(RouteId route, RequestAcceptor acceptor, WorkerHandler handler) {
    return serving.onWorker(route, acceptor, handler);
  }

  /**
   * Takes bulk writes of peers to a route, until its registration is closed, or the transport.
   *
   * @throws IllegalArgumentException if the route is served already
   */
  public Registration serveBulkWrites(Route<?, ?> route, BulkReceiver receiver) {
    return serveBulkWrites(route.id(), receiver);
  }

  Registration serveBulkWrites(RouteId route, BulkReceiver receiver) {
    return serving.bulkWrites(route, receiver);
  }

  /**
   * Serves bulk reads of a route, until its registration is closed, or the transport.
   *
   * @throws IllegalArgumentException if the route is served already
   */
  public Registration serveBulkReads(Route<?, ?> route, BulkProvider provider) {
    return serveBulkReads(route, ServeOptions.DEFAULTS, provider);
  }

  /** As {@link #serveBulkReads(Route, BulkProvider)}, with options: how payloads are protected. */
  public Registration serveBulkReads(
      Route<?, ?> route, ServeOptions options, BulkProvider provider) {
    return serveBulkReads(route.id(), provider, options.protection());
  }

  Registration serveBulkReads(RouteId route, BulkProvider provider) {
    return serveBulkReads(route, provider, Protection.SEALED);
  }

  Registration serveBulkReads(RouteId route, BulkProvider provider, Protection protection) {
    return serving.bulkReads(route, provider, protection);
  }

  /**
   * Answers one request with a stream of responses, until its registration is closed, or the
   * transport. The source is materialized once, in the transport's actor system, and asked for no
   * more than the caller takes. If it fails, the caller's stream fails with {@code HANDLER_FAILED}
   * and the message's text. If the caller wants no more responses, or is lost, it is cancelled.
   *
   * @throws IllegalArgumentException if streams of the route are served already
   */
  public <Q, R> Registration serveStreamingResponse(
      Route<Q, R> route, Function<? super Q, ? extends Source<R, ?>> handler) {
    return serving.streams(
        route.id(),
        StreamPattern.STREAMING_RESPONSE,
        RequestAcceptor.ALL,
        Serving.streamingResponse(route, handler));
  }

  /**
   * As {@link #serveStreamingResponse(Route, Function)}; the handler sees who calls, and the
   * headers.
   */
  public <Q, R> Registration serveStreamingResponse(
      Route<Q, R> route, Function2<? super Q, CallContext, ? extends Source<R, ?>> handler) {
    return serveStreamingResponse(route, ServeOptions.DEFAULTS, handler);
  }

  /** As {@link #serveStreamingResponse(Route, Function)}, with options. */
  public <Q, R> Registration serveStreamingResponse(
      Route<Q, R> route,
      ServeOptions options,
      Function2<? super Q, CallContext, ? extends Source<R, ?>> handler) {
    return serving.streams(
        route.id(),
        StreamPattern.STREAMING_RESPONSE,
        options.acceptor(),
        Serving.streamingResponse(route, handler));
  }

  Registration serveStreamingResponse(RouteId route, ServedStream.ResponseHandler handler) {
    return serveStreamingResponse(route, RequestAcceptor.ALL, handler);
  }

  Registration serveStreamingResponse(
      RouteId route, RequestAcceptor acceptor, ServedStream.ResponseHandler handler) {
    return serving.streams(
        route,
        StreamPattern.STREAMING_RESPONSE,
        acceptor,
        stream -> stream.respond(handler.handle(stream.unary())));
  }

  /**
   * Answers a stream of requests with one response, until its registration is closed, or the
   * transport. The source of requests may be materialized once; without demand the caller is held
   * back, and it is told if they are not wanted any more; they complete only if none is missing.
   *
   * @throws IllegalArgumentException if streams of the route are served already
   */
  public <Q, R> Registration serveStreamingRequest(
      Route<Q, R> route, Function<Source<Q, NotUsed>, ? extends CompletionStage<R>> handler) {
    return serving.streams(
        route.id(),
        StreamPattern.STREAMING_REQUEST,
        RequestAcceptor.ALL,
        Serving.streamingRequest(route, handler));
  }

  /**
   * As {@link #serveStreamingRequest(Route, Function)}; the handler sees who calls, and the
   * headers.
   */
  public <Q, R> Registration serveStreamingRequest(
      Route<Q, R> route,
      Function2<Source<Q, NotUsed>, CallContext, ? extends CompletionStage<R>> handler) {
    return serveStreamingRequest(route, ServeOptions.DEFAULTS, handler);
  }

  /** As {@link #serveStreamingRequest(Route, Function)}, with options. */
  public <Q, R> Registration serveStreamingRequest(
      Route<Q, R> route,
      ServeOptions options,
      Function2<Source<Q, NotUsed>, CallContext, ? extends CompletionStage<R>> handler) {
    return serving.streams(
        route.id(),
        StreamPattern.STREAMING_REQUEST,
        options.acceptor(),
        Serving.streamingRequest(route, handler));
  }

  Registration serveStreamingRequest(RouteId route, ServedStream.RequestHandler handler) {
    return serveStreamingRequest(route, RequestAcceptor.ALL, handler);
  }

  Registration serveStreamingRequest(
      RouteId route, RequestAcceptor acceptor, ServedStream.RequestHandler handler) {
    return serving.streams(
        route,
        StreamPattern.STREAMING_REQUEST,
        acceptor,
        stream -> stream.respondOnce(handler.handle(stream.streaming())));
  }

  /**
   * Answers a stream of requests with a stream of responses, until its registration is closed, or
   * the transport. What {@link #serveStreamingRequest(Route, Function)} says of the requests and
   * {@link #serveStreamingResponse(Route, Function)} of the responses holds; each ends by itself.
   *
   * @throws IllegalArgumentException if streams of the route are served already
   */
  public <Q, R> Registration serveBidirectional(
      Route<Q, R> route, Function<Source<Q, NotUsed>, ? extends Source<R, ?>> handler) {
    return serving.streams(
        route.id(),
        StreamPattern.BIDIRECTIONAL,
        RequestAcceptor.ALL,
        Serving.bidirectional(route, handler));
  }

  /**
   * As {@link #serveBidirectional(Route, Function)}; the handler sees who calls, and the headers.
   */
  public <Q, R> Registration serveBidirectional(
      Route<Q, R> route,
      Function2<Source<Q, NotUsed>, CallContext, ? extends Source<R, ?>> handler) {
    return serveBidirectional(route, ServeOptions.DEFAULTS, handler);
  }

  /** As {@link #serveBidirectional(Route, Function)}, with options. */
  public <Q, R> Registration serveBidirectional(
      Route<Q, R> route,
      ServeOptions options,
      Function2<Source<Q, NotUsed>, CallContext, ? extends Source<R, ?>> handler) {
    return serving.streams(
        route.id(),
        StreamPattern.BIDIRECTIONAL,
        options.acceptor(),
        Serving.bidirectional(route, handler));
  }

  Registration serveBidirectional(RouteId route, ServedStream.BidirectionalHandler handler) {
    return serveBidirectional(route, RequestAcceptor.ALL, handler);
  }

  Registration serveBidirectional(
      RouteId route, RequestAcceptor acceptor, ServedStream.BidirectionalHandler handler) {
    return serving.streams(
        route,
        StreamPattern.BIDIRECTIONAL,
        acceptor,
        stream -> stream.respond(handler.handle(stream.streaming())));
  }

  /**
   * Runs streams in the transport's actor system, until the transport is closed: for handlers that
   * consume the elements of a {@link StreamingCall}, and for applications that have no actor system
   * of their own. Streams that block want a dispatcher of their own, as with any materializer.
   */
  public Materializer materializer() {
    return SystemMaterializer.get(pool.system()).materializer();
  }

  /**
   * The peer at this handshake address; the handshake begins with the first call.
   *
   * @throws io.millrace.config.SettingsException if the address is malformed or its host unknown
   * @throws io.millrace.node.TransportException if there are too many peers
   */
  public Peer peer(String handshakeAddress) {
    return peers.computeIfAbsent(
        pool.peer(handshakeAddress), handle -> new Peer(pool, handle, executors.lane(), spans));
  }

  /**
   * Memory of this node that the application writes in place and then hands to any number of
   * transfers; see {@link PayloadBuffer}. It counts against {@code millrace.transfers
   * .broadcast-pool} until the last transfer that carries it has ended. The future completes on the
   * transport's executor when there is memory, and fails with {@link CallException}: {@code
   * PAYLOAD_TOO_LARGE} if there will never be so much, {@code SUBMISSION_FULL} if the pool has not
   * so much now. To cancel it gives the memory back.
   *
   * @param bytes that it is to hold at most
   */
  public CompletableFuture<PayloadBuffer> allocate(int bytes) {
    return allocate(bytes, Headers.EMPTY, Protection.SEALED);
  }

  /** As {@link #allocate(int)}, with headers and protection as {@link #seal} has them. */
  public CompletableFuture<PayloadBuffer> allocate(
      int bytes, Headers headers, Protection protection) {
    return sealing.allocate(bytes, headers.encode(), protection);
  }

  /**
   * Seals a payload once, to be sent to any number of peers; the source, whose length must be
   * known, is closed, whatever happens, also when this throws because of its arguments. To complete
   * the future first, for one by {@code cancel}, ends the sealing and gives its memory back. The
   * future completes on the transport's executor, and fails with {@link CallException}: {@code
   * PAYLOAD_TOO_LARGE} if there will never be room for it, {@code SUBMISSION_FULL} if {@code
   * millrace.transfers.broadcast-pool} has none now. Who gets the payload closes it.
   */
  public CompletableFuture<SealedPayload> seal(BodySource source) {
    return seal(source, Headers.EMPTY, Protection.SEALED);
  }

  /**
   * As {@link #seal(BodySource)}.
   *
   * @param headers travel ahead of the payload, enciphered; at most {@code millrace.limits.headers}
   * @param protection {@link Protection#AUTHENTICATED} for a payload that the application has
   *     enciphered itself, or that need not be secret: it is given its tags, once, and stays as it
   *     is
   */
  public CompletableFuture<SealedPayload> seal(
      BodySource source, Headers headers, Protection protection) {
    return sealing.seal(source, headers.encode(), protection);
  }

  CompletableFuture<SealedPayload> seal(BodySource source, byte[] headers) {
    return sealing.seal(source, headers, Protection.SEALED);
  }

  CompletableFuture<SealedPayload> seal(BodySource source, byte[] headers, Protection protection) {
    return sealing.seal(source, headers, protection);
  }

  /**
   * Seals several payloads at once, each to be sent, held and closed by itself, to other peers than
   * the rest if wanted: each has a data key of its own. They share one allocation, in whole blocks
   * of 64 KiB, which counts against {@code millrace.transfers.broadcast-pool} and is given back
   * with the last of them. For many small messages, as a log's entries; {@link #seal} gives the
   * memory of a long one back range by range. The future completes on the transport's executor, in
   * the order of the payloads, and fails as that of {@link #seal}: all or none are sealed.
   */
  public CompletableFuture<List<SealedPayload>> sealAll(List<ByteString> payloads) {
    return sealAll(payloads, Headers.EMPTY, Protection.SEALED);
  }

  /** As {@link #sealAll(List)}, each with these headers, protected as with {@link #seal}. */
  public CompletableFuture<List<SealedPayload>> sealAll(
      List<ByteString> payloads, Headers headers, Protection protection) {
    return sealing.sealAll(
        payloads.stream().map(ByteString::toArrayUnsafe).toList(), headers.encode(), protection);
  }

  CompletableFuture<List<SealedPayload>> sealAll(List<byte[]> payloads, byte[] headers) {
    return sealing.sealAll(payloads, headers, Protection.SEALED);
  }

  CompletableFuture<List<SealedPayload>> sealAll(
      List<byte[]> payloads, byte[] headers, Protection protection) {
    return sealing.sealAll(payloads, headers, protection);
  }

  /**
   * Sends what was sealed to several peers, to what the {@link BulkReceiver} of each for this route
   * names. A peer that is there twice gets it twice.
   *
   * @throws IllegalArgumentException if a peer is not one of this transport
   * @throws IllegalStateException if the payload was closed
   */
  public Broadcast broadcast(
      Route<?, ?> route, SealedPayload payload, List<Destination> destinations) {
    return broadcast(route.id(), payload, destinations);
  }

  Broadcast broadcast(RouteId route, SealedPayload payload, List<Destination> destinations) {
    return sealing.broadcast(route, payload, destinations);
  }

  /**
   * Seals a payload once and sends it to several peers; see {@link #seal(BodySource)} and {@link
   * #broadcast(Route, SealedPayload, List)}. If it cannot be sealed, every transfer fails so.
   *
   * @throws IllegalArgumentException if a peer is not one of this transport; the source is closed
   *     then, too
   */
  public Broadcast broadcast(Route<?, ?> route, BodySource source, List<Destination> destinations) {
    return broadcast(route, source, Headers.EMPTY, Protection.SEALED, destinations);
  }

  /**
   * As {@link #broadcast(Route, BodySource, List)}, with headers and protection as {@link
   * #seal(BodySource, Headers, Protection)} says.
   */
  public Broadcast broadcast(
      Route<?, ?> route,
      BodySource source,
      Headers headers,
      Protection protection,
      List<Destination> destinations) {
    return sealing.broadcast(route.id(), source, headers.encode(), protection, destinations);
  }

  Broadcast broadcast(
      RouteId route, BodySource source, byte[] headers, List<Destination> destinations) {
    return broadcast(route, source, headers, Protection.SEALED, destinations);
  }

  Broadcast broadcast(
      RouteId route,
      BodySource source,
      byte[] headers,
      Protection protection,
      List<Destination> destinations) {
    return sealing.broadcast(route, source, headers, protection, destinations);
  }

  /** Owns tokens that the application ends itself, and calls that end with their owner. */
  public CausalityScope causalityScope() {
    return CausalityScope.of(pool.port(0).causality(), pool.drops(), pool.events(), pool.system());
  }

  /**
   * A token that succeeds when {@code needed} of these have, and fails when so many cannot any
   * more.
   *
   * @throws IllegalArgumentException if {@code needed} is not 1 to the number of tokens, or one of
   *     them is of another node
   * @throws IllegalStateException if too many wait for a slot
   */
  public CausalityToken quorum(int needed, List<? extends CausalityToken> tokens) {
    CausalityToken quorum = Dependencies.quorum(needed, tokens, pool.port(0).causality());
    if (spans != null) {
      Spans.join(quorum, tokens);
    }
    return quorum;
  }

  /**
   * Has the {@link Builder#authorise policy} asked again, because its answers have changed: the
   * next transfer that a peer begins on any route is decided anew, whether the peer may still
   * connect included. Transfers that run go on; paths stay open. Any thread.
   */
  public void reviewAccess() {
    pool.access().review();
  }

  /** The loops to drive when the idle strategy is {@code CALLER_RUNS}, one for each worker. */
  public List<CallerLoop> callerLoops() {
    return List.copyOf(pool.callerLoops());
  }

  /** The node behind this; for tests that look for what was not given back. */
  TransportPool pool() {
    return pool;
  }

  /** What the workers have counted so far. */
  public TransportSnapshot snapshot() {
    return TransportSnapshot.of(pool, serving.faults());
  }

  /**
   * What the memory holds that peers write into, of each worker, in their order. Taken by the
   * workers between two turns, so the figures of one worker fit each other, which those of {@link
   * #snapshot} need not. The stage completes on a thread of the actor system, which must not be
   * kept waiting, and fails with {@link io.millrace.node.TransportException} if the transport is
   * closed. With {@code CALLER_RUNS} it needs the loops to run.
   */
  public CompletionStage<List<RegionSnapshot>> regions() {
    return pool.regions().thenApply(all -> all.stream().map(RegionSnapshot::of).toList());
  }

  /**
   * Tells this one, too, what happens from now on, besides {@link Builder#events} and any number of
   * others. It has a thread of its own, so it may take its time: up to {@value
   * SubscriptionOptions#DEFAULT_QUEUED_EVENTS} events wait for it, what comes while the queue is
   * full is dropped for it alone and counted ({@link EventSubscription#dropped}), and what it
   * throws is logged and concerns nobody else. It hears the end of the transport, within a second,
   * unless it was closed before.
   *
   * @throws IllegalStateException if the transport was closed
   */
  public EventSubscription subscribe(TransportEvents subscriber) {
    return subscribe(subscriber, SubscriptionOptions.DEFAULTS);
  }

  /**
   * As {@link #subscribe(TransportEvents)}.
   *
   * @param queuedEvents how many may wait for it, 2 or more; rounded up to a power of two
   */
  public EventSubscription subscribe(TransportEvents subscriber, int queuedEvents) {
    return subscribe(subscriber, SubscriptionOptions.DEFAULTS.withQueuedEvents(queuedEvents));
  }

  /**
   * As {@link #subscribe(TransportEvents)}, and what happens with each packet, message and transfer
   * if that is wanted, and what each worker did at intervals.
   */
  public EventSubscription subscribe(TransportEvents subscriber, SubscriptionOptions options) {
    return pool.events().add(subscriber, options);
  }

  /**
   * Waits until every subscriber was told what happened before, data events included; for tests
   * that look at what a subscriber saw. Returns at once when the transport has closed. In a
   * simulation let time pass instead.
   *
   * @return whether they were, within {@code limit}
   */
  public boolean awaitEvents(Duration limit) throws InterruptedException {
    return pool.events().awaitTold(limit.toNanos());
  }

  /**
   * Brings everything to its end before {@link #close}, so that closing leaves no transfer in
   * doubt. Peers are told: from now on each transfer that one begins at this node fails with {@code
   * SHUTTING_DOWN}, or with {@code HANDSHAKE_FAILED} if it had no path here, was not executed, and
   * may be made elsewhere. What runs goes on, and may make calls of its own. When no peer has
   * anything open here, this node's own new calls fail with {@code SHUTTING_DOWN}, too.
   *
   * <p>The stage completes as soon as nothing is left, or when {@code limit} is over, with what is
   * left then; also when the transport is closed meanwhile, and it fails with {@link
   * io.millrace.node.TransportException} if it was closed before. It completes on a thread of the
   * actor system, which must not be kept waiting. Streams that never end of themselves are what is
   * left: their handlers are to end them. A drain is not taken back. It may be asked for again, for
   * longer or shorter; each stage has its own time. With {@code CALLER_RUNS} it needs the loops to
   * run.
   *
   * @param limit not negative, at most 365 days
   */
  public CompletionStage<DrainReport> drain(Duration limit) {
    return pool.drain(limit);
  }

  /**
   * Tells the peers, fails what is under way with {@code CLOSED}, and ends the workers; waits some
   * seconds at most. Idempotent.
   */
  @Override
  public void close() {
    pool.close();
    executors.close();
    pool.finish();
    life.onClosed();
  }

  /** Makes the life of a node that has just started. */
  @FunctionalInterface
  private interface LifeOf {
    ProcessLife of(Transport transport);
  }

  /** Collects the choices for one transport. */
  public static final class Builder {
    private static final int DEFAULT_PARALLELISM =
        Math.max(2, Runtime.getRuntime().availableProcessors());

    private final TransportSettings settings;
    private @Nullable Executor executor;
    private int parallelism = DEFAULT_PARALLELISM;
    private @Nullable ActorSystem<?> system;
    private @Nullable DriverProvider driver;
    private @Nullable AeadProvider aead;
    private Subscriber events = Subscriber.NONE;
    private HangAction hang = HangAction.HALT;
    private @Nullable Tracing tracing;
    private NodeEnvironment environment = NodeEnvironment.PROCESS;
    private AccessPolicy access = AccessPolicy.ALL;

    private Builder(TransportSettings settings) {
      this.settings = settings;
    }

    /**
     * Where handlers and completions run; without it, on two executors of the node's own, one for
     * handlers and one for the rest, that replace a thread while it waits for a future. Handlers
     * never have more than {@code parallelism} threads of this executor, and completions and bodies
     * have as many beside them. Handlers that wait for calls of this node therefore need an
     * executor with more than {@code parallelism} threads: completions run on those that are left.
     * So many completions that wait for further calls as the executor has threads beside its
     * handlers wait for ever; a virtual thread for each task never lacks one. Bodies that wait for
     * devices, as files do, do so on threads of the node's own: {@code
     * millrace.limits.device-threads}.
     *
     * @param parallelism handlers that it may run at once for this transport, and as many other
     *     tasks
     */
    public Builder executor(Executor executor, int parallelism) {
      this.executor = executor;
      this.parallelism = parallelism;
      return this;
    }

    /**
     * The actor system to live in. {@link Transport#close} leaves it running. Its coordinated
     * shutdown drains and closes the node; see {@link Transport#create}.
     */
    public Builder system(ActorSystem<?> system) {
      this.system = system;
      return this;
    }

    /** A driver by value, whatever the settings say. */
    public Builder driver(DriverProvider driver) {
      this.driver = driver;
      return this;
    }

    /** A cipher by value, whatever the settings say; for tests. */
    Builder aead(AeadProvider aead) {
      this.aead = aead;
      return this;
    }

    /**
     * The world that the node lives in: the process, unless it is simulated. What is given by value
     * comes first.
     */
    public Builder environment(NodeWorld environment) {
      if (!(environment instanceof NodeEnvironment known)) {
        throw new IllegalArgumentException("only testkit makes environments");
      }
      this.environment = known;
      return this;
    }

    /**
     * Who sees the events, from the first one on, as if it had come by {@link
     * Transport#subscribe(TransportEvents)} before anything happened. In a simulation it is told
     * where they happen, data events included.
     */
    public Builder events(TransportEvents events) {
      return events(events, SubscriptionOptions.DEFAULTS);
    }

    /** As {@link #events(TransportEvents)}, with data events or activity if that is wanted. */
    public Builder events(TransportEvents events, SubscriptionOptions options) {
      this.events = new Subscriber(events, options);
      return this;
    }

    /**
     * Makes a span of each transfer, at the side that begins it and at the side that serves it;
     * none is made unless this is called. For example {@code
     * OpenTelemetryTracing.of(openTelemetry)} of {@code io.millrace.telemetry.otel}. It stays the
     * application's, and is to outlive the transport.
     */
    public Builder tracing(Tracing tracing) {
      this.tracing = tracing;
      return this;
    }

    /**
     * Decides which peers may connect and which routes they may call; every peer that the handshake
     * admits may do everything unless this is called, or {@code millrace.access} has rules. Both
     * must allow. A peer that may not connect hears {@code HANDSHAKE_FAILED} with the policy's
     * reason, a call that is denied ends with {@code NOT_AUTHORISED} and the reason, ahead of its
     * handler, its acceptor and the memory for its payload.
     */
    public Builder authorise(AccessPolicy policy) {
      this.access = Objects.requireNonNull(policy, "policy");
      return this;
    }

    /**
     * What is done about a worker that makes no progress for {@code millrace.workers.hang-after};
     * {@link HangAction#HALT} unless this is called: the process ends with code {@value
     * HangAction#EXIT_CODE}.
     */
    public Builder onHungWorker(HangAction action) {
      this.hang = action;
      return this;
    }

    /**
     * Starts the node.
     *
     * @throws io.millrace.node.TransportException if it cannot be started, or the calling thread is
     *     interrupted; it is interrupted still, and nothing of the node is left
     * @throws io.millrace.config.SettingsException if settings contradict each other
     */
    public Transport start() {
      JvmFlags.require();
      return environment == NodeEnvironment.PROCESS
          ? StartThread.call(this::startHere)
          : startHere();
    }

    private Transport startHere() {
      NodeExecutors executors =
          NodeExecutors.of(executor, parallelism, environment, settings.limits());
      PoolOptions options =
          new PoolOptions(
              settings, system, driver, aead, events, hang, executors.lane(), environment, access);
      try {
        return over(TransportPool.start(options), executors);
      } catch (RuntimeException | Error e) {
        executors.close();
        throw e;
      }
    }

    private Transport over(TransportPool pool, NodeExecutors executors) {
      try {
        return new Transport(pool, executors, life(), tracing);
      } catch (RuntimeException | Error e) { // the process is ending, for example
        pool.close();
        pool.finish();
        throw e;
      }
    }

    private @Nullable LifeOf life() {
      Duration drainLimit = settings.limits().process().shutdownDrain();
      ActorSystem<?> given = system;
      if (given != null) {
        return transport -> ProcessLife.ofSystem(transport, given, drainLimit);
      }
      return environment == NodeEnvironment.PROCESS
          ? transport -> ProcessLife.ofProcess(transport, drainLimit)
          : null;
    }
  }
}
