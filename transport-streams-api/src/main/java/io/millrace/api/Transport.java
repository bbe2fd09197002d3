package io.millrace.api;

import io.millrace.access.AccessPolicy;
import io.millrace.api.bulk.BulkProvider;
import io.millrace.api.bulk.BulkReceiver;
import io.millrace.config.TransportSettings;
import io.millrace.crypto.AeadProvider;
import io.millrace.driver.DriverProvider;
import io.millrace.ends.AllSteps;
import io.millrace.ends.retry.RetryRoom;
import io.millrace.engine.NativeAccess;
import io.millrace.engine.NodeEnvironment;
import io.millrace.engine.PoolOptions;
import io.millrace.engine.StartThread;
import io.millrace.engine.TransportPool;
import io.millrace.event.EventSubscription;
import io.millrace.event.Subscriber;
import io.millrace.event.SubscriptionOptions;
import io.millrace.event.TransportEvents;
import io.millrace.loop.BlockingRefusedException;
import io.millrace.node.CallerLoop;
import io.millrace.node.DrainReport;
import io.millrace.node.HangAction;
import io.millrace.node.NodeWorld;
import io.millrace.node.WarmUpReport;
import io.millrace.path.causality.Dependencies;
import io.millrace.path.peer.PeerHandle;
import io.millrace.protocol.stream.StreamPattern;
import io.millrace.trace.Tracing;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.CausalityToken;
import io.millrace.transfer.Headers;
import io.millrace.transfer.Protection;
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
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * A node of a cluster: serves routes, and calls peers. Safe on any thread; start one transport per
 * process and share the instance.
 */
public final class Transport implements AutoCloseable {
  private final TransportPool pool;
  private final NodeExecutors executors;
  private final ProcessLife life;
  private final RouteServing serving;
  private final PayloadSealing sealing;
  private final ConcurrentHashMap<PeerHandle, Peer> peers = new ConcurrentHashMap<>();

  private final Spans spans;
  private final RetryRoom retries;
  private final NodeExecutors.Streams streams;
  private final EngineWarmUp.Latest warmUp;
  private final boolean isSimulated;

  private Transport(
      TransportPool pool,
      NodeExecutors executors,
      NodeEnvironment environment,
      @Nullable LifeOf life,
      @Nullable Tracing tracing) {
    this.pool = pool;
    streams = new NodeExecutors.Streams(pool.system(), environment);
    pool.closeListener(streams);
    warmUp = new EngineWarmUp.Latest(pool, environment);
    isSimulated = environment != NodeEnvironment.PROCESS;
    spans = Spans.of(tracing, pool.settings().limits());
    this.executors = executors;
    retries = room(pool, environment);
    this.life = life == null ? ProcessLife.ofNobody(this) : life.of(this);
    serving = new RouteServing(pool, executors.lane(), streams, this.life::onServing, spans);
    sealing = new PayloadSealing(pool, executors.lane(), spans);
  }

  private static RetryRoom room(TransportPool pool, NodeEnvironment environment) {
    ActorSystem<?> system = pool.system();
    return new RetryRoom(
        pool.settings().limits().waiting().retries().waitingBytes(),
        new RetryRoom.Means(
            (pause, task) ->
                system.scheduler().scheduleOnce(pause, task, system.executionContext())::cancel,
            environment::nowNs,
            environment.newRandom("retries")));
  }

  /**
   * Starts a node with an actor system and an executor of its own. While the node serves a route,
   * the process stays alive until the node is closed. On SIGTERM or {@code System.exit}, the
   * process first drains the node, for {@code millrace.limits.shutdown-drain} at most, and then
   * closes the node.
   *
   * @throws io.millrace.node.TransportException if the node cannot be started; the message says why
   *     in one sentence
   * @throws io.millrace.config.SettingsException if settings contradict each other
   */
  public static Transport start(TransportSettings settings) {
    return builder(settings).start();
  }

  /**
   * Starts a node in the application's actor system, with the settings in the block {@code
   * millrace} of the system's configuration, which is usually {@code application.conf}. Coordinated
   * shutdown of the system drains the node in the phase {@code service-requests-done} and closes
   * the node in {@code service-stop}.
   *
   * <p>The setup of the guardian actor may call this method: an exception then ends the system.
   * After an exception elsewhere the system goes on and keeps the process alive; terminate the
   * system.
   *
   * @param system classic or typed
   * @throws io.millrace.node.TransportException if the node cannot be started; the message says why
   *     in one sentence
   * @throws io.millrace.config.SettingsException if settings contradict each other
   */
  public static Transport create(ClassicActorSystemProvider system) {
    Objects.requireNonNull(system, "system");
    ActorSystem<?> typed = Adapter.toTyped(system.classicSystem());
    return builder(TransportSettings.from(typed.settings().config())).system(typed).start();
  }

  /** Returns a builder of a node, for choices that settings cannot express. */
  public static Builder builder(TransportSettings settings) {
    Objects.requireNonNull(settings, "settings");
    return new Builder(settings);
  }

  /** Returns this node's handshake address, host:port, by which peers call this node. */
  public String address() {
    return pool.address();
  }

  /**
   * Whether the node runs under the virtual time of a simulation, whose only thread must never wait
   * for a transfer.
   */
  public boolean isSimulated() {
    return isSimulated;
  }

  /**
   * Answers each request of a route with one response, until the registration or the transport is
   * closed. The handler runs on the executor and may block as the executor allows. An exception of
   * the handler or of its stage reaches the caller as {@link CallException} with {@code
   * HANDLER_FAILED} and the exception's message. An undecodable request never reaches the handler.
   * If the caller gives the call up first, or is lost, the node no longer starts the handler. For a
   * started handler, the node cancels the returned {@link java.util.concurrent.CompletableFuture}.
   * If other code waits for the same future, return a copy.
   *
   * @throws IllegalArgumentException if the route is served already
   */
  public <Q, R> Registration serve(
      Route<Q, R> route, Function<? super Q, ? extends CompletionStage<R>> handler) {
    require(route, ServeOptions.DEFAULTS, handler);
    return serving.unary(route.id(), RequestAcceptor.ALL, Serving.unary(route, handler));
  }

  /**
   * Answers each request with one response as {@link #serve(Route, Function)}; the handler also
   * gets the caller and the headers.
   */
  public <Q, R> Registration serve(
      Route<Q, R> route, Function2<? super Q, CallContext, ? extends CompletionStage<R>> handler) {
    return serve(route, ServeOptions.DEFAULTS, handler);
  }

  /** Answers each request with one response as {@link #serve(Route, Function)}, with options. */
  public <Q, R> Registration serve(
      Route<Q, R> route,
      ServeOptions options,
      Function2<? super Q, CallContext, ? extends CompletionStage<R>> handler) {
    require(route, options, handler);
    return serving.unary(route.id(), options.acceptor(), Serving.unary(route, handler));
  }

  private static void require(Route<?, ?> route, ServeOptions options, Object handler) {
    Objects.requireNonNull(route, "route");
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(handler, "handler");
  }

  /**
   * Answers each request of a route on the worker's thread, undecoded, until the registration or
   * the transport is closed.
   *
   * @throws IllegalArgumentException if the route is served already
   */
  public Registration serveOnWorker(Route<?, ?> route, WorkerHandler handler) {
    return serveOnWorker(route, ServeOptions.DEFAULTS, handler);
  }

  /**
   * Answers each request on the worker's thread as {@link #serveOnWorker(Route, WorkerHandler)},
   * with options. For a payload larger than a datagram the acceptor runs on the executor, as on
   * every route. For smaller payloads the acceptor runs on the worker's thread, right ahead of the
   * handler. The acceptor must therefore be quick, and each request costs the allocation of an
   * offer.
   */
  public Registration serveOnWorker(
      Route<?, ?> route, ServeOptions options, WorkerHandler handler) {
    require(route, options, handler);
    return serving.onWorker(route.id(), options.acceptor(), handler);
  }

  /**
   * Receives the bulk writes of peers to a route, until the registration or the transport is
   * closed.
   *
   * @throws IllegalArgumentException if the route is served already
   */
  public Registration serveBulkWrites(Route<?, ?> route, BulkReceiver receiver) {
    Objects.requireNonNull(route, "route");
    Objects.requireNonNull(receiver, "receiver");
    return serving.bulkWrites(route.id(), receiver);
  }

  /**
   * Answers the bulk reads of peers from a route, until the registration or the transport is
   * closed.
   *
   * @throws IllegalArgumentException if the route is served already
   */
  public Registration serveBulkReads(Route<?, ?> route, BulkProvider provider) {
    return serveBulkReads(route, ServeOptions.DEFAULTS, provider);
  }

  /**
   * Answers bulk reads as {@link #serveBulkReads(Route, BulkProvider)}, with options: the
   * protection of payloads.
   */
  public Registration serveBulkReads(
      Route<?, ?> route, ServeOptions options, BulkProvider provider) {
    Objects.requireNonNull(route, "route");
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(provider, "provider");
    return serving.bulkReads(route.id(), provider, options.protection());
  }

  /**
   * Answers each request with a stream of responses, until the registration or the transport is
   * closed. The node materializes the handler's source once, in the transport's actor system, and
   * demands no more responses than the caller takes. If the source fails, the caller's stream fails
   * with {@code HANDLER_FAILED} and the exception's message. If the caller wants no more responses,
   * or is lost, the node cancels the source.
   *
   * @throws IllegalArgumentException if streams of the route are served already
   */
  public <Q, R> Registration serveStreamingResponse(
      Route<Q, R> route, Function<? super Q, ? extends Source<R, ?>> handler) {
    require(route, ServeOptions.DEFAULTS, handler);
    return serving.streams(
        route.id(),
        StreamPattern.STREAMING_RESPONSE,
        RequestAcceptor.ALL,
        Serving.streamingResponse(route, handler));
  }

  /**
   * Answers each request with a stream as {@link #serveStreamingResponse(Route, Function)}; the
   * handler also gets the caller and the headers.
   */
  public <Q, R> Registration serveStreamingResponse(
      Route<Q, R> route, Function2<? super Q, CallContext, ? extends Source<R, ?>> handler) {
    return serveStreamingResponse(route, ServeOptions.DEFAULTS, handler);
  }

  /**
   * Answers each request with a stream as {@link #serveStreamingResponse(Route, Function)}, with
   * options.
   */
  public <Q, R> Registration serveStreamingResponse(
      Route<Q, R> route,
      ServeOptions options,
      Function2<? super Q, CallContext, ? extends Source<R, ?>> handler) {
    require(route, options, handler);
    return serving.streams(
        route.id(),
        StreamPattern.STREAMING_RESPONSE,
        options.acceptor(),
        Serving.streamingResponse(route, handler));
  }

  /**
   * Answers each stream of requests with one response, until the registration or the transport is
   * closed. The handler may materialize the source of requests once. Without demand the source
   * holds the caller back; if the handler cancels the source, the caller sends no more requests.
   * The source completes only if no request is missing.
   *
   * @throws IllegalArgumentException if streams of the route are served already
   */
  public <Q, R> Registration serveStreamingRequest(
      Route<Q, R> route, Function<Source<Q, NotUsed>, ? extends CompletionStage<R>> handler) {
    require(route, ServeOptions.DEFAULTS, handler);
    return serving.streams(
        route.id(),
        StreamPattern.STREAMING_REQUEST,
        RequestAcceptor.ALL,
        Serving.streamingRequest(route, handler));
  }

  /**
   * Answers each stream with one response as {@link #serveStreamingRequest(Route, Function)}; the
   * handler also gets the caller and the headers.
   */
  public <Q, R> Registration serveStreamingRequest(
      Route<Q, R> route,
      Function2<Source<Q, NotUsed>, CallContext, ? extends CompletionStage<R>> handler) {
    return serveStreamingRequest(route, ServeOptions.DEFAULTS, handler);
  }

  /**
   * Answers each stream with one response as {@link #serveStreamingRequest(Route, Function)}, with
   * options.
   */
  public <Q, R> Registration serveStreamingRequest(
      Route<Q, R> route,
      ServeOptions options,
      Function2<Source<Q, NotUsed>, CallContext, ? extends CompletionStage<R>> handler) {
    require(route, options, handler);
    return serving.streams(
        route.id(),
        StreamPattern.STREAMING_REQUEST,
        options.acceptor(),
        Serving.streamingRequest(route, handler));
  }

  /**
   * Answers each stream of requests with a stream of responses, until the registration or the
   * transport is closed. The requests behave as in {@link #serveStreamingRequest(Route, Function)},
   * the responses as in {@link #serveStreamingResponse(Route, Function)}; each direction has its
   * own end.
   *
   * @throws IllegalArgumentException if streams of the route are served already
   */
  public <Q, R> Registration serveBidirectional(
      Route<Q, R> route, Function<Source<Q, NotUsed>, ? extends Source<R, ?>> handler) {
    require(route, ServeOptions.DEFAULTS, handler);
    return serving.streams(
        route.id(),
        StreamPattern.BIDIRECTIONAL,
        RequestAcceptor.ALL,
        Serving.bidirectional(route, handler));
  }

  /**
   * Answers each stream with a stream as {@link #serveBidirectional(Route, Function)}; the handler
   * also gets the caller and the headers.
   */
  public <Q, R> Registration serveBidirectional(
      Route<Q, R> route,
      Function2<Source<Q, NotUsed>, CallContext, ? extends Source<R, ?>> handler) {
    return serveBidirectional(route, ServeOptions.DEFAULTS, handler);
  }

  /**
   * Answers each stream with a stream as {@link #serveBidirectional(Route, Function)}, with
   * options.
   */
  public <Q, R> Registration serveBidirectional(
      Route<Q, R> route,
      ServeOptions options,
      Function2<Source<Q, NotUsed>, CallContext, ? extends Source<R, ?>> handler) {
    require(route, options, handler);
    return serving.streams(
        route.id(),
        StreamPattern.BIDIRECTIONAL,
        options.acceptor(),
        Serving.bidirectional(route, handler));
  }

  /**
   * Returns the materializer that runs streams in the transport's actor system, until the transport
   * is closed. With {@link #close}, streams of transfers fail with {@code CLOSED}, for which their
   * stages have 1 s; each other stream that has not ended by itself then fails with Pekko's {@code
   * AbruptStageTerminationException}, also in an actor system of the application. A new stream
   * throws {@code IllegalStateException} from then on. A stream that outlives the transport needs
   * the system's materializer. Use this materializer in handlers that consume the requests of a
   * stream, and in applications without an actor system. A blocking stream needs a dispatcher of
   * its own, as with every materializer.
   *
   * @throws IllegalStateException if the transport was closed, and the materializer was never used
   */
  public Materializer materializer() {
    return streams.materializer();
  }

  /**
   * Returns the peer at this handshake address; the handshake begins with the first call.
   *
   * @throws io.millrace.config.SettingsException if the address is malformed or its host unknown
   * @throws io.millrace.node.TransportException if there are too many peers
   */
  public Peer peer(String handshakeAddress) {
    Objects.requireNonNull(handshakeAddress, "handshakeAddress");
    return peers.computeIfAbsent(
        pool.peer(handshakeAddress),
        handle -> new Peer(pool, handle, executors, streams, spans, retries));
  }

  /**
   * Allocates memory of this node, which the application writes in place and then hands to any
   * number of transfers; see {@link PayloadBuffer}. The memory counts against {@code
   * millrace.transfers.broadcast-pool} until the last transfer of the payload has ended. The future
   * completes on the transport's executor when the memory is there. The future fails with {@link
   * CallException}: {@code PAYLOAD_TOO_LARGE} if the pool is smaller than the request, {@code
   * SUBMISSION_FULL} if the pool has not enough free memory now. If the future is cancelled, the
   * node takes the memory back.
   *
   * @param bytes the capacity of the buffer
   */
  public CompletableFuture<PayloadBuffer> allocate(int bytes) {
    return allocate(bytes, Headers.EMPTY, Protection.SEALED);
  }

  /**
   * Allocates memory of this node as {@link #allocate(int)}, with headers and protection as in
   * {@link #seal}.
   */
  public CompletableFuture<PayloadBuffer> allocate(
      int bytes, Headers headers, Protection protection) {
    Objects.requireNonNull(headers, "headers");
    Objects.requireNonNull(protection, "protection");
    return sealing.allocate(bytes, headers.encode(), protection);
  }

  /**
   * Seals a payload once, for transfers to any number of peers. The source must have a known
   * length; the node closes the source in every case, also when this method throws because of its
   * arguments. If the future is completed early, for example by {@code cancel}, the node ends the
   * sealing and takes the memory back. The future completes on the transport's executor. The future
   * fails with {@link CallException}: {@code PAYLOAD_TOO_LARGE} if {@code
   * millrace.transfers.broadcast-pool} is too small for the payload, {@code SUBMISSION_FULL} if the
   * pool has not enough free memory now. The receiver of the payload closes the payload.
   */
  public CompletableFuture<SealedPayload> seal(BodySource source) {
    return seal(source, Headers.EMPTY, Protection.SEALED);
  }

  /**
   * Seals a payload once as {@link #seal(BodySource)}, with headers and protection.
   *
   * @param headers travel ahead of the payload, enciphered; at most {@code millrace.limits.headers}
   * @param protection {@link Protection#AUTHENTICATED} for a payload enciphered by the application,
   *     or for a payload without secrets: the node adds the tags, once, and leaves the bytes as
   *     they are
   */
  public CompletableFuture<SealedPayload> seal(
      BodySource source, Headers headers, Protection protection) {
    return sealing.seal(source, headers, protection);
  }

  /**
   * Seals several payloads at once. The application sends, holds and closes each payload by itself,
   * to any peers, since each payload has a data key of its own. The payloads share one allocation,
   * in whole blocks of 64 KiB. The allocation counts against {@code
   * millrace.transfers.broadcast-pool} until the last of the payloads is done. The method is for
   * many small messages, such as the entries of a log. For a long payload, {@link #seal} gives the
   * memory back range by range. The future completes on the transport's executor with the payloads
   * in their order, and fails as the future of {@link #seal} does. The node seals all payloads or
   * no payload.
   */
  public CompletableFuture<List<SealedPayload>> sealAll(List<ByteString> payloads) {
    return sealAll(payloads, Headers.EMPTY, Protection.SEALED);
  }

  /**
   * Seals several payloads at once as {@link #sealAll(List)}, each with these headers, and with the
   * protection of {@link #seal}.
   */
  public CompletableFuture<List<SealedPayload>> sealAll(
      List<ByteString> payloads, Headers headers, Protection protection) {
    Objects.requireNonNull(payloads, "payloads");
    Objects.requireNonNull(headers, "headers");
    Objects.requireNonNull(protection, "protection");
    return sealing.sealAll(
        payloads.stream().map(ByteString::toArrayUnsafe).toList(), headers.encode(), protection);
  }

  /**
   * Sends a sealed payload to several peers, to the target that each peer's {@link BulkReceiver} of
   * this route chooses. A peer listed twice gets the payload twice.
   *
   * @throws IllegalArgumentException if a peer belongs to another transport
   * @throws IllegalStateException if the payload was closed
   */
  public Broadcast broadcast(
      Route<?, ?> route, SealedPayload payload, List<Destination> destinations) {
    Objects.requireNonNull(route, "route");
    Objects.requireNonNull(payload, "payload");
    Objects.requireNonNull(destinations, "destinations");
    return sealing.broadcast(route.id(), payload, destinations);
  }

  /**
   * Seals a payload once and sends it to several peers; see {@link #seal(BodySource)} and {@link
   * #broadcast(Route, SealedPayload, List)}. If the sealing fails, every transfer fails with the
   * same failure.
   *
   * @throws IllegalArgumentException if a peer belongs to another transport; the source is closed
   *     then, too
   */
  public Broadcast broadcast(Route<?, ?> route, BodySource source, List<Destination> destinations) {
    return broadcast(route, source, Headers.EMPTY, Protection.SEALED, destinations);
  }

  /**
   * Seals a payload once and sends it to several peers as {@link #broadcast(Route, BodySource,
   * List)}, with headers and protection as in {@link #seal(BodySource, Headers, Protection)}.
   */
  public Broadcast broadcast(
      Route<?, ?> route,
      BodySource source,
      Headers headers,
      Protection protection,
      List<Destination> destinations) {
    return sealing.broadcast(route, source, headers, protection, destinations);
  }

  /**
   * Opens a scope, which owns tokens for the application to end, and calls that end with their
   * owner.
   */
  public CausalityScope causalityScope() {
    return CausalityScope.of(pool.port(0).causality(), pool.drops(), pool.events(), pool.system());
  }

  /**
   * Returns a token that succeeds when {@code needed} of these tokens have succeeded, and fails
   * when too few tokens can still succeed.
   *
   * @throws IllegalArgumentException if {@code needed} is not 1 to the number of tokens, or a token
   *     is of another node
   * @throws IllegalStateException if too many tokens wait for a slot
   */
  public CausalityToken quorum(int needed, List<? extends CausalityToken> tokens) {
    Objects.requireNonNull(tokens, "tokens");
    CausalityToken quorum = Dependencies.quorum(needed, tokens, pool.port(0).causality());
    spans.join(quorum, tokens);
    return quorum;
  }

  /**
   * Makes the node ask the {@link Builder#authorise policy} again, because the policy's answers
   * have changed. The policy decides anew on each peer's next transfer on a route, also whether the
   * peer may still connect. Running transfers go on; paths stay open. Any thread.
   */
  public void reviewAccess() {
    pool.access().review();
  }

  /**
   * Returns the loops for the application to drive when the idle strategy is {@code CALLER_RUNS},
   * one loop for each worker.
   */
  public List<CallerLoop> callerLoops() {
    return List.copyOf(pool.callerLoops());
  }

  /** The served routes of this node; for tests with undecoded messages. */
  RouteServing serving() {
    return serving;
  }

  /** The node behind this transport; for tests that look for leaked resources. */
  TransportPool pool() {
    return pool;
  }

  /** Returns the counters of all workers up to now. */
  public TransportSnapshot snapshot() {
    return TransportSnapshot.of(pool, serving.faults());
  }

  /**
   * Returns the use of the receive memory, into which peers write, for each worker in order. Each
   * worker takes its figures between two turns, so the figures of one worker fit each other; the
   * figures of {@link #snapshot} need not. The stage completes on a thread of the actor system,
   * which must not block, and fails with {@link io.millrace.node.TransportException} if the
   * transport is closed. With {@code CALLER_RUNS} the stage completes only while the application
   * drives the loops.
   */
  public CompletionStage<List<RegionSnapshot>> regions() {
    return pool.regions().thenApply(all -> all.stream().map(RegionSnapshot::of).toList());
  }

  /**
   * Sends the events from now on to this subscriber, besides {@link Builder#events} and any number
   * of other subscribers. The subscriber has a thread of its own and may be slow. Up to {@value
   * SubscriptionOptions#DEFAULT_QUEUED_EVENTS} events wait in its queue; while the queue is full,
   * this subscriber alone loses further events, and {@link EventSubscription#dropped} counts the
   * lost events. The node logs an exception of the subscriber; other subscribers do not notice. The
   * subscriber gets the end of the transport, within a second, unless the subscription was closed
   * before.
   *
   * @throws IllegalStateException if the transport was closed
   */
  public EventSubscription subscribe(TransportEvents subscriber) {
    return subscribe(subscriber, SubscriptionOptions.DEFAULTS);
  }

  /**
   * Sends events to this subscriber as {@link #subscribe(TransportEvents)}, with this length of the
   * queue.
   *
   * @param queuedEvents the length of the subscriber's queue, 2 or more; rounded up to a power of
   *     two
   */
  public EventSubscription subscribe(TransportEvents subscriber, int queuedEvents) {
    return subscribe(subscriber, SubscriptionOptions.DEFAULTS.withQueuedEvents(queuedEvents));
  }

  /**
   * Sends events to this subscriber as {@link #subscribe(TransportEvents)}. By option, the
   * subscriber also gets the events of each packet, message and transfer, and the activity of each
   * worker at intervals.
   */
  public EventSubscription subscribe(TransportEvents subscriber, SubscriptionOptions options) {
    Objects.requireNonNull(subscriber, "subscriber");
    Objects.requireNonNull(options, "options");
    return pool.events().add(subscriber, options);
  }

  /**
   * Waits until every subscriber has received all earlier events, data events included; for tests
   * of a subscriber's events. Returns at once when the transport has closed. In a simulation let
   * time pass instead.
   *
   * @return whether every subscriber has received the events within {@code limit}
   * @throws IllegalStateException on the thread of a worker, which must not wait
   */
  public boolean awaitEvents(Duration limit) throws InterruptedException {
    Objects.requireNonNull(limit, "limit");
    BlockingRefusedException.check();
    return pool.events().awaitTold(limit.toNanos());
  }

  /**
   * Runs the code of a node ahead of its first burst, because a JVM runs new code many times slower
   * than compiled code. Small nodes of the warm-up's own call each other over the loopback
   * interface, in all patterns and in bursts, with the ciphers of this node. The calls touch
   * neither this node nor its peers, and appear in no counter or event. A warm-up uses two cores
   * while it lasts, some memory, threads and descriptors, and gives threads and descriptors back.
   * One warm-up warms all nodes of the process: call this method ahead of the first traffic, and
   * serve as soon as the stage has completed.
   *
   * <p>The stage completes when the compilers are quiet, when {@code limit} is over, or when the
   * transport is closed; the stage completes up to a few seconds later, because the nodes of the
   * warm-up end first. The stage fails with {@link io.millrace.node.TransportException} if these
   * nodes cannot start. The stage completes on a thread of the warm-up, which may block. A call
   * during a warm-up of this transport gets the stage of that warm-up. In a simulation the stage
   * has completed already.
   *
   * @param limit more than zero, at most an hour
   * @throws IllegalArgumentException if the limit is out of range
   * @throws IllegalStateException if the transport was closed
   */
  public CompletionStage<WarmUpReport> warmUp(Duration limit) {
    Objects.requireNonNull(limit, "limit");
    WarmUpReport.requireLimit(limit);
    return warmUp.begin(limit);
  }

  /**
   * Ends all transfers in an orderly way before {@link #close}, so closing leaves no transfer in
   * doubt. The node tells its peers. From now on each new transfer from a peer fails with {@code
   * SHUTTING_DOWN}, or with {@code HANDSHAKE_FAILED} if the peer had no path here. Such a transfer
   * was not executed, and the peer may repeat the transfer elsewhere. Running transfers go on, and
   * their handlers may make further calls. When no peer has a transfer open here, this node's own
   * new calls fail with {@code SHUTTING_DOWN}, too.
   *
   * <p>The stage completes as soon as all transfers have ended, or when {@code limit} is over, with
   * a report of the remaining transfers. The stage also completes when the transport is closed
   * meanwhile, and fails with {@link io.millrace.node.TransportException} if the transport was
   * closed before. The stage completes on a thread of the actor system, which must not block. A
   * stream without an end remains open: its handler must end the stream. A drain cannot be undone.
   * The application may call drain again, with a longer or shorter limit; each stage has its own
   * time. With {@code CALLER_RUNS} the drain needs the application to drive the loops.
   *
   * @param limit not negative, at most 365 days
   */
  public CompletionStage<DrainReport> drain(Duration limit) {
    Objects.requireNonNull(limit, "limit");
    return pool.drain(limit);
  }

  /**
   * Closes the node: tells the peers, fails the transfers under way with {@code CLOSED}, and ends
   * the workers. Waits a few seconds at most: 1 s for streams that have not read their end, 8 s for
   * handlers and devices that do not end; 11 s if a stage of the application blocks. Idempotent.
   *
   * @throws IllegalStateException on the thread of a worker, which must not wait
   */
  @Override
  public void close() {
    BlockingRefusedException.check();
    AllSteps.run(
        retries::close, pool::close, warmUp::stop, executors::close, pool::finish, life::onClosed);
  }

  /** Creates the life of a node just started. */
  @FunctionalInterface
  private interface LifeOf {
    ProcessLife of(Transport transport);
  }

  /** Collects the choices for one transport and starts the transport. */
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
    private boolean isUnattended;

    private Builder(TransportSettings settings) {
      this.settings = settings;
    }

    /**
     * Sets the executor of handlers and completions. Without this choice, the node has two
     * executors of its own, one for handlers and one for all other tasks. Both executors replace a
     * thread while the thread waits for a future. Handlers never use more than {@code parallelism}
     * threads of this executor, and completions and bodies use as many further threads. Handlers
     * that wait for calls of this node therefore need an executor with more than {@code
     * parallelism} threads: completions run on the remaining threads. If completions wait for
     * further calls on all remaining threads, the completions wait for ever. An executor with a
     * virtual thread for each task never runs out of threads. Bodies that wait for devices, such as
     * files, use threads of the node's own: {@code millrace.limits.device-threads}.
     *
     * @param parallelism the most handlers that the executor runs at once for this transport, and
     *     as many other tasks
     */
    public Builder executor(Executor executor, int parallelism) {
      Objects.requireNonNull(executor, "executor");
      this.executor = executor;
      this.parallelism = parallelism;
      return this;
    }

    /**
     * Sets the actor system of the node. {@link Transport#close} leaves the system running. The
     * system's coordinated shutdown drains and closes the node; see {@link Transport#create}.
     */
    public Builder system(ActorSystem<?> system) {
      Objects.requireNonNull(system, "system");
      this.system = system;
      return this;
    }

    /** Sets the driver, which takes precedence over the driver of the settings. */
    public Builder driver(DriverProvider driver) {
      Objects.requireNonNull(driver, "driver");
      this.driver = driver;
      return this;
    }

    /** Sets the cipher, which takes precedence over the cipher of the settings; for tests. */
    Builder aead(AeadProvider aead) {
      this.aead = aead;
      return this;
    }

    /** Leaves the end of the node to its owner: the end of the process or system does not close. */
    Builder unattended() {
      isUnattended = true;
      return this;
    }

    /**
     * Sets the environment of the node: the process, or a simulation. Other choices of this builder
     * take precedence over the environment.
     */
    public Builder environment(NodeWorld environment) {
      if (!(environment instanceof NodeEnvironment known)) {
        throw new IllegalArgumentException("only testkit makes environments");
      }
      this.environment = known;
      return this;
    }

    /**
     * Sets a subscriber of all events from the first event on, as if subscribed by {@link
     * Transport#subscribe(TransportEvents)} before the first event. In a simulation the subscriber
     * gets the events on the thread where they happen, data events included.
     */
    public Builder events(TransportEvents events) {
      return events(events, SubscriptionOptions.DEFAULTS);
    }

    /**
     * Sets a subscriber of all events as {@link #events(TransportEvents)}, by option with data
     * events or activity.
     */
    public Builder events(TransportEvents events, SubscriptionOptions options) {
      Objects.requireNonNull(events, "events");
      Objects.requireNonNull(options, "options");
      this.events = new Subscriber(events, options);
      return this;
    }

    /**
     * Makes a span of each transfer, at the side that begins the transfer and at the side that
     * serves the transfer. Without this choice the node makes no spans. An example is {@code
     * OpenTelemetryTracing.of(openTelemetry)} of {@code io.millrace.telemetry.otel}. The
     * application keeps ownership of the tracing, which must outlive the transport.
     */
    public Builder tracing(Tracing tracing) {
      Objects.requireNonNull(tracing, "tracing");
      this.tracing = tracing;
      return this;
    }

    /**
     * Sets the policy that decides which peers may connect, and which routes each peer may call.
     * Without a policy and without rules in {@code millrace.access}, every peer admitted by the
     * handshake may call every route. With both, policy and rules must allow the call. A peer that
     * may not connect gets {@code HANDSHAKE_FAILED} with the policy's reason. A denied call ends
     * with {@code NOT_AUTHORISED} and the reason, ahead of the handler, the acceptor and the memory
     * for the payload.
     */
    public Builder authorise(AccessPolicy policy) {
      this.access = Objects.requireNonNull(policy, "policy");
      return this;
    }

    /**
     * Sets the action for a worker without progress for {@code millrace.workers.hang-after}. The
     * default is {@link HangAction#HALT}: the process ends with code {@value HangAction#EXIT_CODE}.
     */
    public Builder onHungWorker(HangAction action) {
      Objects.requireNonNull(action, "action");
      this.hang = action;
      return this;
    }

    /**
     * Starts the node.
     *
     * @throws io.millrace.node.TransportException if the node cannot start, or the calling thread
     *     is interrupted; the thread is still interrupted then, and no part of the node remains
     * @throws io.millrace.config.SettingsException if settings contradict each other
     * @throws IllegalStateException on the thread of a worker, which must not wait
     */
    public Transport start() {
      NativeAccess.require();
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
        return new Transport(pool, executors, environment, life(), tracing);
      } catch (RuntimeException | Error e) { // for example because the process is ending
        pool.close();
        pool.finish();
        throw e;
      }
    }

    private @Nullable LifeOf life() {
      if (isUnattended) {
        return null;
      }
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
