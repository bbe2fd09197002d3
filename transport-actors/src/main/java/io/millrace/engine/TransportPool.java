package io.millrace.engine;

import io.millrace.access.AccessPolicy;
import io.millrace.access.AccessRules;
import io.millrace.access.admission.NodeAccess;
import io.millrace.actor.RegionPoolCensus;
import io.millrace.actor.WorkerCommand;
import io.millrace.body.BodyServices;
import io.millrace.buffer.BufferRegistry;
import io.millrace.buffer.ByteBudget;
import io.millrace.buffer.DropWatch;
import io.millrace.config.Addresses;
import io.millrace.config.SettingsException;
import io.millrace.config.TransportSettings;
import io.millrace.config.WaitingSettings;
import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.HandshakeCredentials;
import io.millrace.crypto.HandshakeException;
import io.millrace.crypto.HandshakeLimits;
import io.millrace.crypto.HandshakeProvider;
import io.millrace.crypto.HandshakeSettings;
import io.millrace.crypto.Handshaker;
import io.millrace.crypto.Hkdf;
import io.millrace.crypto.kem.PostQuantum;
import io.millrace.driver.DriverProvider;
import io.millrace.ends.AllSteps;
import io.millrace.ends.InlineBudget;
import io.millrace.ends.RequestBudget;
import io.millrace.ends.StreamBudget;
import io.millrace.ends.WaitingRoom;
import io.millrace.event.EventSubscribers;
import io.millrace.event.TransportEvents;
import io.millrace.event.WorkerProbe;
import io.millrace.handshake.AskingHandshaker;
import io.millrace.handshake.KeyLog;
import io.millrace.handshake.ResolvingHandshaker;
import io.millrace.loop.DrivenLoop;
import io.millrace.loop.watch.Watch;
import io.millrace.nic.NodeNics;
import io.millrace.node.DrainReport;
import io.millrace.node.TransportException;
import io.millrace.path.packet.PathToken;
import io.millrace.path.packet.WorkerContext;
import io.millrace.path.packet.WorkerEnd;
import io.millrace.path.peer.CallLimits;
import io.millrace.path.peer.NodeServices;
import io.millrace.path.peer.PeerHandle;
import io.millrace.path.peer.SubmissionPort;
import io.millrace.worker.WorkerDescription;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.typed.ActorSystem;
import org.jspecify.annotations.Nullable;

/**
 * A node: the single entry to everything that an application starts. The pool owns the workers from
 * start to close, listens for handshakes, and knows the peers. Safe on any thread; cheap to share.
 */
public final class TransportPool implements AutoCloseable {
  private static final String AUTO = "auto";
  private static final String KEY_LOG = "millrace.handshake.key-log";

  private final TransportSettings settings;
  private final NodeNics nics;
  private final AeadProvider aead;
  private final Routes routes = new Routes();
  private final NodeServices node;
  private final NodeBodies bodies;
  private final NodeSystem system;
  private final DropWatch drops;
  private final NodeEvents nodeEvents;
  private final EventSubscribers events;
  private final PeerDirectory directory;
  private final NodeHandshakes handshakes;
  private final List<SubmissionPort> ports = new ArrayList<>();
  private final List<WorkerDescription> workers = new CopyOnWriteArrayList<>();
  private final List<WorkerRef> actors = new ArrayList<>();
  private final WorkerStarter starter;
  private final NodeDrain drain;
  private final RegionQueries regionQueries;
  private final Handshaker handshaker;
  private final String address;
  private Watch watch = Watch.NONE; // set before anybody else has the node
  private volatile boolean closing;
  private volatile CloseListener closeListener = CloseListener.NONE;

  /** Streams outside the engine that end with the node. */
  public interface CloseListener {
    CloseListener NONE =
        new CloseListener() {
          @Override
          public void onClosing() {}

          @Override
          public void onEnded(boolean isSystemOwned) {}
        };

    /** The close of the node begins. */
    void onClosing();

    /**
     * The node's actors have ended, or did not end in time: no transfer goes on. The actor system
     * runs.
     *
     * @param isSystemOwned whether the actor system ends with the node, after the return
     */
    void onEnded(boolean isSystemOwned);
  }

  /**
   * Starts a node: returns when the node's workers run and its handshake address is open.
   *
   * @throws TransportException if the node cannot be started: port in use, no driver, no cipher
   * @throws io.millrace.config.SettingsException if settings contradict each other
   */
  public static TransportPool start(PoolOptions options) {
    NodeSettingsCheck.check(options.settings());
    HandshakeProvider provider =
        chooseHandshakes(options.environment(), options.settings().handshake().provider());
    HandshakeCredentials credentials =
        NodeCredentials.of(provider.name(), options.settings().handshake());
    NodeSystem system = NodeSystem.of(options);
    try {
      return start(options, system, events(options, system), provider, credentials);
    } catch (RuntimeException | Error e) {
      system.close(List.of(), () -> {});
      throw e;
    }
  }

  private static NodeEvents events(PoolOptions options, NodeSystem system) {
    NodeEnvironment environment = options.environment();
    return NodeEvents.start(
        new EventSubscribers.Means(
            e -> system.system().log().error("a subscriber to events threw", e),
            () -> environment.newExecutor(1),
            (interval, task) -> ticks(system, interval, task),
            environment::nowNs),
        options.events(),
        environment.tellsEventsAtOnce(),
        options.settings().limits().process(),
        environment::logMark);
  }

  private static AutoCloseable ticks(NodeSystem system, Duration interval, Runnable task) {
    Cancellable timer =
        system
            .system()
            .scheduler()
            .scheduleWithFixedDelay(interval, interval, task, system.system().executionContext());
    return timer::cancel;
  }

  private static TransportPool start(
      PoolOptions options,
      NodeSystem system,
      NodeEvents events,
      HandshakeProvider provider,
      HandshakeCredentials credentials) {
    try {
      return watched(options, new TransportPool(options, system, events, provider, credentials));
    } catch (RuntimeException | Error e) {
      events.close();
      throw e;
    }
  }

  private static TransportPool watched(PoolOptions options, TransportPool pool) {
    try {
      pool.watch(options);
      options.environment().onStarted(pool);
      return pool;
    } catch (RuntimeException | Error e) {
      pool.close();
      throw e;
    }
  }

  private TransportPool(
      PoolOptions options,
      NodeSystem system,
      NodeEvents nodeEvents,
      HandshakeProvider provider,
      HandshakeCredentials credentials) {
    this.settings = options.settings();
    this.system = system;
    this.nodeEvents = nodeEvents;
    events = nodeEvents.subscribers();
    NodeEnvironment environment = options.environment();
    drops = environment.drops();
    aead = options.aead() != null ? options.aead() : chooseAead(settings, environment.ciphers());
    nics =
        NodeNics.of(
            settings, names -> chooseDrivers(options, names, events), environment::networkOf);
    InlineBudget budget =
        new InlineBudget(
            settings.limits(), settings.nic().maxDatagramBytes(), nics.receiveBudget());
    bodies = new NodeBodies(settings, options, nics.isOneSided(), events);
    node = services(options, budget);
    long incarnation = environment.newRandom("incarnation").nextLong();
    addPorts(incarnation);
    directory = newDirectory(ports, settings, events);
    handshakes =
        new NodeHandshakes(
            node.terms(),
            directory,
            incarnation,
            environment.host(),
            system.system(),
            keyLog(settings, system));
    starter = new WorkerStarter(system, node, nics, environment);
    for (WorkerStarter.Started started : starter.start(ports, handshakes)) {
      workers.add(started.description());
      actors.add(new WorkerRef(started.actor()));
    }
    nodeEvents.onWorkersStarted();
    drain = new NodeDrain(system.system(), List.copyOf(actors));
    regionQueries = new RegionQueries(List.copyOf(actors), system.system().executionContext());
    handshakes.onWorkersStarted(workers, actors);
    boolean asks = environment == NodeEnvironment.PROCESS;
    handshaker = listen(provider, credentials, settings, handshakes, incarnation, asks);
    address = name(settings, handshaker);
    handshakes.onListening(handshaker, address);
  }

  private NodeServices services(PoolOptions options, InlineBudget budget) {
    return new NodeServices(
        new WorkerContext.Terms(
            settings,
            events,
            aead,
            budget,
            bodies.services(),
            tokens(options.environment()),
            new NodeAccess(policy(options), routes, events)),
        routes,
        elements(settings, bodies),
        new RequestBudget(settings.limits().waiting().requestBudgetBytes()));
  }

  private void addPorts(long incarnation) {
    WaitingRoom room = WaitingRoom.of(settings.limits().waiting());
    for (int worker = 0; worker < settings.workers().count(); worker++) {
      ports.add(new SubmissionPort(worker, settings, room, incarnation));
    }
    events.onWorkers(
        ports.stream().<WorkerProbe>map(port -> new PortProbe(port, workers)).toList(),
        ports.stream().map(port -> port.counters().data()).toList());
  }

  private static StreamBudget elements(TransportSettings settings, NodeBodies bodies) {
    return new StreamBudget(
        new ByteBudget(settings.streams().budgetBytes()),
        bodies.services().assembly(),
        settings.streams().perPeerBytes());
  }

  private void watch(PoolOptions options) {
    watch =
        options
            .environment()
            .watch(starter::watchedLoops, settings.workers().watch(), events, options.hang());
  }

  private static PeerDirectory newDirectory(
      List<SubmissionPort> ports, TransportSettings settings, TransportEvents events) {
    WaitingSettings waiting = settings.limits().waiting();
    return new PeerDirectory(
        ports,
        new CallLimits(waiting.calls(), new ByteBudget(waiting.retries().waitingBytes())),
        settings.limits().peers(),
        new NodeHealths(settings.recovery().health(), events)::of);
  }

  private static String name(TransportSettings settings, Handshaker handshaker) {
    String advertised = settings.handshake().advertised();
    return advertised.isEmpty() ? Addresses.format(handshaker.localAddress()) : advertised;
  }

  /** This node's handshake address, host:port, with the port that was taken. */
  public String address() {
    return address;
  }

  /** The actor system of this node. */
  public ActorSystem<?> system() {
    return system.system();
  }

  /** The settings of the node's start. */
  public TransportSettings settings() {
    return settings;
  }

  /** The rules of the settings come first. */
  private static AccessPolicy policy(PoolOptions options) {
    AccessRules rules = options.settings().handshake().access();
    return rules.isEmpty() ? options.access() : rules.and(options.access());
  }

  /** The peers that may call this node's routes. */
  public NodeAccess access() {
    return node.terms().access();
  }

  /** The routes that this node serves. */
  public Routes routes() {
    return routes;
  }

  /** The preferred driver of the first NIC. */
  public String driverName() {
    return nics.all().getFirst().drivers().getFirst().name();
  }

  /** The NICs, with the drivers of each. */
  public List<NodeNics.Nic> nics() {
    return nics.all();
  }

  /** The name of the cipher that seals packets. */
  public String aeadName() {
    return aead.name();
  }

  /** The services that the transfers of all workers share. */
  public BodyServices bodies() {
    return bodies.services();
  }

  /** Memory of the sealed bytes that this node sends. */
  public BufferRegistry buffers() {
    return bodies.services().buffers();
  }

  /** Notices handles that were dropped and not closed. */
  public DropWatch drops() {
    return drops;
  }

  /** The workers. */
  public List<WorkerDescription> workers() {
    return List.copyOf(workers);
  }

  /** The destination of events. */
  public EventSubscribers events() {
    return events;
  }

  /**
   * The executors around this node have ended, too: memory still held is told, and each subscriber
   * to events hears the last events. Idempotent.
   */
  public void finish() {
    buffers().reportLeaks();
    nodeEvents.close();
  }

  /** The first id of the path whose packets bear this id now, or 0 without such a path. */
  public long pathIdOf(long wireId) {
    PathSecrets.Holder holder = handshakes.secrets().find(wireId);
    return holder == null ? 0 : holder.pathId();
  }

  /** Handshakes of other nodes that this node refused so far. */
  public long refusedHandshakes() {
    return handshakes.refusedCount();
  }

  /** The counters of a worker's paths. */
  public SubmissionPort port(int worker) {
    return ports.get(worker);
  }

  /**
   * The node's resources at this moment; on the thread of the node's workers, or after their end.
   */
  public NodeCensus census() {
    return NodeCensus.of(this, node);
  }

  /**
   * The state of the regions of each worker, as their owners tell the state on the workers'
   * threads; completes on a thread of the actor system, and fails with {@link TransportException}
   * if the node closes.
   */
  public CompletableFuture<List<RegionPoolCensus>> regions() {
    return regionQueries.ask();
  }

  /** Whether {@link #close} was called; the call may not have returned yet. */
  public boolean isClosing() {
    return closing;
  }

  /** The loops to drive when the idle strategy is {@code CALLER_RUNS}, one for each worker. */
  public List<DrivenLoop> callerLoops() {
    return List.copyOf(starter.callerLoops());
  }

  /**
   * The peer at this handshake address; no packet is sent before the first call.
   *
   * @throws io.millrace.config.SettingsException if the address is malformed or its host unknown
   * @throws TransportException if the peers are too many
   */
  public PeerHandle peer(String handshakeAddress) {
    return directory
        .admit(Addresses.parseArgument("the peer's address", handshakeAddress), this::onHeld)
        .handle();
  }

  /**
   * The handle to use instead of a handle whose worker has stopped; the same handle if no worker is
   * left.
   */
  public PeerHandle current(PeerHandle stranded) {
    return directory.current(stranded);
  }

  /** The peers that the application holds and has called, by address. */
  public List<PeerHandle> peers() {
    return directory.held();
  }

  private void onHeld(PeerHandle peer) {
    actors.get(peer.port().worker()).tell(new WorkerCommand.AdmitPeer(peer.link()));
  }

  /**
   * Shakes hands with the peer unless a path exists; the future fails with the reason of a failure.
   */
  public CompletableFuture<Void> connect(PeerHandle peer) {
    return actors
        .get(peer.port().worker())
        .ask(answer -> new WorkerCommand.Connect(peer.link(), answer));
  }

  /** The peer is gone, as the application knows: its transfers fail on each worker. */
  public void giveUp(PeerHandle peer, String cause) {
    var _ = peer.port(); // a peer that was never called is known to a worker from now on
    directory
        .linksOf(peer.identity())
        .forEach(
            (worker, link) -> actors.get(worker).tell(new WorkerCommand.GiveUpPeer(link, cause)));
  }

  /**
   * Brings the node's transfers to their end: refuses new transfers of peers at once, and later the
   * node's own; rule T-11. The future completes on a thread of the actor system.
   *
   * @param limit how long the drain may take, not negative; then the future completes with the
   *     remains
   */
  public CompletableFuture<DrainReport> drain(Duration limit) {
    DrainReport.requireLimit(limit);
    handshakes.onDraining();
    return drain.begin(limit);
  }

  /**
   * {@link #drain} of a node that is closed next: the remains are logged, because no caller asked
   * for them.
   */
  public CompletableFuture<DrainReport> drainToClose(Duration limit) {
    CompletableFuture<DrainReport> drained = drain(limit);
    return settings.limits().process().logsEvents()
        ? drained.whenComplete((left, failure) -> nodeEvents.logDrained(limit, left))
        : drained;
  }

  /**
   * Tells the peers, fails running transfers, and ends the workers. Idempotent; waits for a while.
   */
  @Override
  public void close() {
    closing = true;
    closeListener.onClosing();
    handshakes.onClosing();
    drain.onClosing();
    handshaker.close();
    boolean ended = system.close(starter.callerLoops(), this::onActorsEnded);
    watch.close();
    bodies.close();
    if (ended) {
      handshakes.onClosed();
    }
    drain.onClosed();
    actors.forEach(actor -> actor.onEnded(WorkerEnd.CLOSED.text()));
  }

  private void onActorsEnded() {
    AllSteps.run(
        () -> AllSteps.forEach(ports, port -> port.close(WorkerEnd.CLOSED)),
        () -> closeListener.onEnded(system.isOwned()));
  }

  /** Sets the listener of each close; set before any other thread has the pool. */
  public void closeListener(CloseListener listener) {
    closeListener = listener;
  }

  private static List<DriverProvider> chooseDrivers(
      PoolOptions options, List<String> names, TransportEvents events) {
    DriverProvider given = options.driver();
    if (given == null) {
      given = options.environment().driver();
    }
    if (given == null) {
      return DriverChoice.chooseAll(
          names, NodeNics.trial(options.settings()), events::onDriverPassedOver);
    }
    List<DriverProvider> named = names.stream().map(given::named).filter(Objects::nonNull).toList();
    return named.isEmpty() ? List.of(given) : named;
  }

  private static AeadProvider chooseAead(TransportSettings settings, AeadProviders providers) {
    String name = settings.crypto().aead();
    try {
      return name.equals(AUTO) ? providers.select(0) : providers.named(name);
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw new TransportException(
          "configuration key 'millrace.crypto.aead': " + e.getMessage(), e);
    }
  }

  private static PathToken.Maker tokens(NodeEnvironment environment) {
    byte[] key = new byte[Hkdf.KEY_LENGTH];
    environment.newRandom("path-tokens").nextBytes(key);
    return new PathToken.Maker(key);
  }

  private static HandshakeProvider chooseHandshakes(NodeEnvironment environment, String name) {
    try {
      return environment.handshakes(name);
    } catch (IllegalArgumentException e) {
      throw new SettingsException(
          "millrace.handshake.provider", "cannot be used: " + e.getMessage());
    }
  }

  /** Where path secrets are written to, which is told loudly; null if nowhere. */
  private static @Nullable KeyLog keyLog(TransportSettings settings, NodeSystem system) {
    String file = settings.handshake().keyLog();
    if (file.isEmpty()) {
      return null;
    }
    try {
      KeyLog log = KeyLog.open(Path.of(file));
      system
          .system()
          .log()
          .warn(
              "{} is set: the secrets of all paths go to '{}', and whoever reads it can decipher"
                  + " all that this node sends and receives",
              KEY_LOG,
              file);
      return log;
    } catch (IOException | InvalidPathException e) {
      throw new SettingsException(KEY_LOG, "cannot be written: " + e);
    }
  }

  private static Handshaker listen(
      HandshakeProvider provider,
      HandshakeCredentials credentials,
      TransportSettings settings,
      NodeHandshakes handshakes,
      long incarnation,
      boolean asks) {
    try {
      Handshaker opened =
          provider.open(
              new HandshakeSettings(
                  settings.handshake().listen(),
                  credentials,
                  incarnation,
                  settings.handshake().timeoutNs(),
                  new HandshakeLimits(
                      settings.handshake().limits().perPrefix(),
                      settings.handshake().limits().total()),
                  PostQuantum.valueOf(settings.handshake().tls().postQuantum().name())),
              handshakes);
      // A simulation has no thread for questions.
      return new ResolvingHandshaker(
          asks ? new AskingHandshaker(opened, provider.name()) : opened, InetAddress::getAllByName);
    } catch (HandshakeException e) {
      throw new TransportException(String.valueOf(e.getMessage()), e);
    }
  }
}
