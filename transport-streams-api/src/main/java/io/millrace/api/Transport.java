package io.millrace.api;

import io.millrace.actor.body.BodySource;
import io.millrace.actor.dispatcher.CallerLoop;
import io.millrace.actor.peer.PeerHandle;
import io.millrace.actor.pool.DrainReport;
import io.millrace.actor.pool.JvmFlags;
import io.millrace.actor.pool.NodeEnvironment;
import io.millrace.actor.pool.PoolOptions;
import io.millrace.actor.pool.TransportPool;
import io.millrace.api.bulk.BulkProvider;
import io.millrace.api.bulk.BulkReceiver;
import io.millrace.config.TransportSettings;
import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.Protection;
import io.millrace.driver.DriverProvider;
import io.millrace.event.EventSubscription;
import io.millrace.event.TransportEvents;
import io.millrace.protocol.stream.StreamPattern;
import io.millrace.wire.Route;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.SystemMaterializer;
import org.apache.pekko.stream.javadsl.Source;
import org.jspecify.annotations.Nullable;

/**
 * A node of a cluster: it serves routes and calls peers. Safe on any thread; start one a process
 * and share it.
 */
public final class Transport implements AutoCloseable {
  private final TransportPool pool;
  private final NodeExecutors executors;
  private final RouteServing serving;
  private final PayloadSealing sealing;
  private final ConcurrentHashMap<PeerHandle, Peer> peers = new ConcurrentHashMap<>();

  private Transport(TransportPool pool, NodeExecutors executors) {
    this.pool = pool;
    this.executors = executors;
    serving = new RouteServing(pool, executors.lane(), this::materializer);
    sealing = new PayloadSealing(pool, executors.lane());
  }

  /**
   * Starts a node with an executor of its own. All threads are daemons: a process whose own threads
   * have ended does not wait for its transport. Nothing closes it when the process is told to end:
   * a shutdown hook of the application's may.
   *
   * @throws io.millrace.actor.pool.TransportException if it cannot be started, with one sentence
   *     why
   * @throws io.millrace.config.SettingsException if settings contradict each other
   */
  public static Transport start(TransportSettings settings) {
    return builder(settings).start();
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
   * Serves a route on the executor, until its registration is closed, or the transport.
   *
   * @throws IllegalArgumentException if the route is served already
   */
  public Registration serve(Route route, UnaryHandler handler) {
    return serve(route, RequestAcceptor.ALL, handler);
  }

  /**
   * As {@link #serve(Route, UnaryHandler)}, of requests that the acceptor takes by their headers,
   * which arrive ahead of the payload.
   */
  public Registration serve(Route route, RequestAcceptor acceptor, UnaryHandler handler) {
    return serving.unary(route, acceptor, handler);
  }

  /**
   * Serves a route on the worker's thread, until its registration is closed, or the transport.
   *
   * @throws IllegalArgumentException if the route is served already
   */
  public Registration serveOnWorker(Route route, WorkerHandler handler) {
    return serveOnWorker(route, RequestAcceptor.ALL, handler);
  }

  /**
   * As {@link #serveOnWorker(Route, WorkerHandler)}, of requests that the acceptor takes by their
   * headers. Of a payload that does not fit a datagram it is asked on the executor, as ever; of
   * others on the worker's thread, right ahead of the handler, so it must be quick, and an offer is
   * allocated for each.
   */
  public Registration serveOnWorker(Route route, RequestAcceptor acceptor, WorkerHandler handler) {
    return serving.onWorker(route, acceptor, handler);
  }

  /**
   * Takes bulk writes of peers to a route, until its registration is closed, or the transport.
   *
   * @throws IllegalArgumentException if the route is served already
   */
  public Registration serveBulkWrites(Route route, BulkReceiver receiver) {
    return serving.bulkWrites(route, receiver);
  }

  /**
   * Serves bulk reads of a route, until its registration is closed, or the transport.
   *
   * @throws IllegalArgumentException if the route is served already
   */
  public Registration serveBulkReads(Route route, BulkProvider provider) {
    return serveBulkReads(route, provider, Protection.SEALED);
  }

  /**
   * Serves bulk reads of a route whose payloads are protected so, until its registration is closed,
   * or the transport.
   *
   * @throws IllegalArgumentException if the route is served already
   */
  public Registration serveBulkReads(Route route, BulkProvider provider, Protection protection) {
    return serving.bulkReads(route, provider, protection);
  }

  /**
   * Serves one request with a stream of responses, until its registration is closed, or the
   * transport.
   *
   * @throws IllegalArgumentException if streams of the route are served already
   */
  public Registration serveStreamingResponse(Route route, StreamingResponseHandler handler) {
    return serveStreamingResponse(route, RequestAcceptor.ALL, handler);
  }

  /**
   * As {@link #serveStreamingResponse(Route, StreamingResponseHandler)}, of streams that the
   * acceptor takes by their headers, ahead of the handler.
   */
  public Registration serveStreamingResponse(
      Route route, RequestAcceptor acceptor, StreamingResponseHandler handler) {
    return serving.streams(
        route,
        StreamPattern.STREAMING_RESPONSE,
        acceptor,
        stream -> stream.respond(handler.handle(stream.unary())));
  }

  /**
   * Serves a stream of requests with one response, until its registration is closed, or the
   * transport.
   *
   * @throws IllegalArgumentException if streams of the route are served already
   */
  public Registration serveStreamingRequest(Route route, StreamingRequestHandler handler) {
    return serveStreamingRequest(route, RequestAcceptor.ALL, handler);
  }

  /**
   * As {@link #serveStreamingRequest(Route, StreamingRequestHandler)}, of streams that the acceptor
   * takes by their headers, ahead of the handler.
   */
  public Registration serveStreamingRequest(
      Route route, RequestAcceptor acceptor, StreamingRequestHandler handler) {
    return serving.streams(
        route,
        StreamPattern.STREAMING_REQUEST,
        acceptor,
        stream -> stream.respondOnce(handler.handle(stream.streaming())));
  }

  /**
   * Serves a stream of requests with a stream of responses, until its registration is closed, or
   * the transport.
   *
   * @throws IllegalArgumentException if streams of the route are served already
   */
  public Registration serveBidirectional(Route route, BidirectionalHandler handler) {
    return serveBidirectional(route, RequestAcceptor.ALL, handler);
  }

  /**
   * As {@link #serveBidirectional(Route, BidirectionalHandler)}, of streams that the acceptor takes
   * by their headers, ahead of the handler.
   */
  public Registration serveBidirectional(
      Route route, RequestAcceptor acceptor, BidirectionalHandler handler) {
    return serving.streams(
        route,
        StreamPattern.BIDIRECTIONAL,
        acceptor,
        stream -> stream.respond(handler.handle(stream.streaming())));
  }

  /**
   * Serves a route with decoded requests and encoded responses, as {@link #serve(Route,
   * UnaryHandler)} does.
   */
  public <Q, R> Registration serve(
      TypedRoute<Q, R> route,
      TypedHandler<TypedCall<Q>, CompletionStage<TypedResponse<R>>> handler) {
    return serve(route, RequestAcceptor.ALL, handler);
  }

  /** The same, of requests that the acceptor takes by their headers, ahead of decoding them. */
  public <Q, R> Registration serve(
      TypedRoute<Q, R> route,
      RequestAcceptor acceptor,
      TypedHandler<TypedCall<Q>, CompletionStage<TypedResponse<R>>> handler) {
    return serve(route.route(), acceptor, TypedServing.unary(route, handler));
  }

  /** Serves one decoded request with a stream of responses that are encoded one by one. */
  public <Q, R> Registration serveStreamingResponse(
      TypedRoute<Q, R> route, TypedHandler<TypedCall<Q>, TypedStreamingResponse<R>> handler) {
    return serveStreamingResponse(route, RequestAcceptor.ALL, handler);
  }

  /** The same, of requests that the acceptor takes by their headers, ahead of decoding them. */
  public <Q, R> Registration serveStreamingResponse(
      TypedRoute<Q, R> route,
      RequestAcceptor acceptor,
      TypedHandler<TypedCall<Q>, TypedStreamingResponse<R>> handler) {
    return serveStreamingResponse(
        route.route(), acceptor, TypedServing.streamingResponse(route, handler));
  }

  /** Serves a stream of requests, decoded one by one, with one response. */
  public <Q, R> Registration serveStreamingRequest(
      TypedRoute<Q, R> route,
      TypedHandler<TypedStreamingCall<Q>, CompletionStage<TypedResponse<R>>> handler) {
    return serveStreamingRequest(route, RequestAcceptor.ALL, handler);
  }

  /** The same, of requests that the acceptor takes by their headers, ahead of decoding them. */
  public <Q, R> Registration serveStreamingRequest(
      TypedRoute<Q, R> route,
      RequestAcceptor acceptor,
      TypedHandler<TypedStreamingCall<Q>, CompletionStage<TypedResponse<R>>> handler) {
    return serveStreamingRequest(
        route.route(), acceptor, TypedServing.streamingRequest(route, handler));
  }

  /** Serves a stream of requests, decoded one by one, with a stream of responses. */
  public <Q, R> Registration serveBidirectional(
      TypedRoute<Q, R> route,
      TypedHandler<TypedStreamingCall<Q>, TypedStreamingResponse<R>> handler) {
    return serveBidirectional(route, RequestAcceptor.ALL, handler);
  }

  /** The same, of requests that the acceptor takes by their headers, ahead of decoding them. */
  public <Q, R> Registration serveBidirectional(
      TypedRoute<Q, R> route,
      RequestAcceptor acceptor,
      TypedHandler<TypedStreamingCall<Q>, TypedStreamingResponse<R>> handler) {
    return serveBidirectional(route.route(), acceptor, TypedServing.bidirectional(route, handler));
  }

  /**
   * The elements of a source, the requests of a {@link StreamingCall} for one, as a publisher; each
   * subscription runs the source in the transport's actor system.
   */
  public <T> Flow.Publisher<T> publisher(Source<T, ?> source) {
    return new FlowPublisher<>(source, materializer());
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
   * @throws io.millrace.actor.pool.TransportException if there are too many peers
   */
  public Peer peer(String handshakeAddress) {
    return peers.computeIfAbsent(
        pool.peer(handshakeAddress), handle -> new Peer(pool, handle, executors.lane()));
  }

  /**
   * Seals a payload once, to be sent to any number of peers; the source, whose length must be
   * known, is closed, whatever happens, also when this throws because of its arguments. To complete
   * the future first, for one by {@code cancel}, ends the sealing and gives its memory back. The
   * future completes on the transport's executor, and fails with {@link CallException}: {@code
   * PAYLOAD_TOO_LARGE} if there will never be room for it, {@code SUBMISSION_FULL} if {@code
   * millrace.transfers.broadcast-pool} has none now. Who gets the payload closes it.
   *
   * @param headers bytes that travel ahead of the payload; at most {@code millrace.limits.headers}
   */
  public CompletableFuture<SealedPayload> seal(BodySource source, byte[] headers) {
    return seal(source, headers, Protection.SEALED);
  }

  /**
   * As {@link #seal(BodySource, byte[])}; {@link Protection#AUTHENTICATED} for a payload that the
   * application has enciphered itself, or that need not be secret: it is given its tags, once, and
   * stays as it is. The headers are enciphered.
   */
  public CompletableFuture<SealedPayload> seal(
      BodySource source, byte[] headers, Protection protection) {
    return sealing.seal(source, headers, protection);
  }

  /**
   * Seals several payloads at once, each to be sent, held and closed by itself, to other peers than
   * the rest if wanted: each has a data key of its own. They share one allocation, in whole blocks
   * of 64 KiB, which counts against {@code millrace.transfers.broadcast-pool} and is given back
   * with the last of them. For many small messages, as a log's entries; {@link #seal} gives the
   * memory of a long one back range by range. The future completes on the transport's executor, in
   * the order of the payloads, and fails as that of {@link #seal}: all or none are sealed.
   *
   * @param payloads not changed before the future completes
   * @param headers bytes that travel ahead of each payload; at most {@code millrace.limits.headers}
   */
  public CompletableFuture<List<SealedPayload>> sealAll(List<byte[]> payloads, byte[] headers) {
    return sealAll(payloads, headers, Protection.SEALED);
  }

  /** As {@link #sealAll(List, byte[])}, protected as with {@link #seal}. */
  public CompletableFuture<List<SealedPayload>> sealAll(
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
  public Broadcast broadcast(Route route, SealedPayload payload, List<Destination> destinations) {
    return sealing.broadcast(route, payload, destinations);
  }

  /**
   * Seals a payload once and sends it to several peers; see {@link #seal(BodySource, byte[])} and
   * {@link #broadcast(Route, SealedPayload, List)}. If it cannot be sealed, every transfer fails
   * so.
   *
   * @throws IllegalArgumentException if a peer is not one of this transport, or the headers are too
   *     long; the source is closed then, too
   */
  public Broadcast broadcast(
      Route route, BodySource source, byte[] headers, List<Destination> destinations) {
    return broadcast(route, source, headers, Protection.SEALED, destinations);
  }

  /**
   * As {@link #broadcast(Route, BodySource, byte[], List)}, protected as {@link #seal(BodySource,
   * byte[], Protection)} says.
   */
  public Broadcast broadcast(
      Route route,
      BodySource source,
      byte[] headers,
      Protection protection,
      List<Destination> destinations) {
    return sealing.broadcast(route, source, headers, protection, destinations);
  }

  /** The loops to drive when the idle strategy is {@code CALLER_RUNS}, one for each worker. */
  public List<CallerLoop> callerLoops() {
    return pool.callerLoops();
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
   * kept waiting, and fails with {@link io.millrace.actor.pool.TransportException} if the transport
   * is closed. With {@code CALLER_RUNS} it needs the loops to run.
   */
  public CompletionStage<List<RegionSnapshot>> regions() {
    return pool.regions().thenApply(all -> all.stream().map(RegionSnapshot::of).toList());
  }

  /**
   * Tells this one, too, what happens from now on, besides {@link Builder#events} and any number of
   * others. It has a thread of its own, so it may take its time: up to {@value
   * EventSubscription#DEFAULT_QUEUED_EVENTS} events wait for it, what comes while the queue is full
   * is dropped for it alone and counted ({@link EventSubscription#dropped}), and what it throws is
   * logged and concerns nobody else. It hears the end of the transport, within a second, unless it
   * was closed before.
   *
   * @throws IllegalStateException if the transport was closed
   */
  public EventSubscription subscribe(TransportEvents subscriber) {
    return subscribe(subscriber, EventSubscription.DEFAULT_QUEUED_EVENTS);
  }

  /**
   * As {@link #subscribe(TransportEvents)}.
   *
   * @param queuedEvents how many may wait for it, 2 or more; rounded up to a power of two
   */
  public EventSubscription subscribe(TransportEvents subscriber, int queuedEvents) {
    return pool.events().add(subscriber, queuedEvents);
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
   * io.millrace.actor.pool.TransportException} if it was closed before. It completes on a thread of
   * the actor system, which must not be kept waiting. Streams that never end of themselves are what
   * is left: their handlers are to end them. A drain is not taken back. It may be asked for again,
   * for longer or shorter; each stage has its own time. With {@code CALLER_RUNS} it needs the loops
   * to run.
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
    private TransportEvents events = TransportEvents.NONE;
    private NodeEnvironment environment = NodeEnvironment.PROCESS;

    private Builder(TransportSettings settings) {
      this.settings = settings;
    }

    /**
     * Where handlers and completions run. They may wait: what comes meanwhile gets another thread,
     * but no more than {@code parallelism} at once. So many that wait for calls of this node whose
     * completions must run here, too, wait for ever. Bodies that wait for devices, as files do, do
     * so on threads of the node's own: {@code millrace.limits.device-threads}.
     *
     * @param parallelism tasks that it may run at once for this transport
     */
    public Builder executor(Executor executor, int parallelism) {
      this.executor = executor;
      this.parallelism = parallelism;
      return this;
    }

    /**
     * The actor system to live in, whose configuration must have the defaults of Millrace, as that
     * of {@code ConfigFactory.load()} does. {@link Transport#close} leaves it running, and is to be
     * called before it ends: if it ends first, peers are told nothing.
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

    /** A cipher by value, whatever the settings say. */
    public Builder aead(AeadProvider aead) {
      this.aead = aead;
      return this;
    }

    /**
     * The world that the node lives in: the process, unless it is simulated. What is given by value
     * comes first.
     */
    public Builder environment(NodeEnvironment environment) {
      this.environment = environment;
      return this;
    }

    /**
     * Who sees the events, from the first one on, on the threads where they happen: workers',
     * mostly, which it must not keep. {@link Transport#subscribe} is for those that come later, or
     * take their time.
     */
    public Builder events(TransportEvents events) {
      this.events = events;
      return this;
    }

    /**
     * Starts the node.
     *
     * @throws io.millrace.actor.pool.TransportException if it cannot be started
     * @throws io.millrace.config.SettingsException if settings contradict each other
     */
    public Transport start() {
      JvmFlags.require();
      NodeExecutors executors =
          NodeExecutors.of(executor, parallelism, environment, settings.limits());
      PoolOptions options =
          new PoolOptions(settings, system, driver, aead, events, executors.lane(), environment);
      try {
        return new Transport(TransportPool.start(options), executors);
      } catch (RuntimeException | Error e) {
        executors.close();
        throw e;
      }
    }
  }
}
