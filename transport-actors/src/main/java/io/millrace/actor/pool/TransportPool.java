package io.millrace.actor.pool;

import io.millrace.actor.body.BodyServices;
import io.millrace.actor.dispatcher.DrivenLoop;
import io.millrace.actor.packet.InlineBudget;
import io.millrace.actor.packet.WorkerContext;
import io.millrace.actor.packet.WorkerEnd;
import io.millrace.actor.peer.NodeServices;
import io.millrace.actor.peer.PeerHandle;
import io.millrace.actor.peer.Routes;
import io.millrace.actor.peer.SubmissionPort;
import io.millrace.actor.stream.StreamBudget;
import io.millrace.actor.submission.WaitingRoom;
import io.millrace.actor.worker.RegionPoolCensus;
import io.millrace.actor.worker.WorkerCommand;
import io.millrace.actor.worker.WorkerDescription;
import io.millrace.buffer.BufferRegistry;
import io.millrace.buffer.ByteBudget;
import io.millrace.buffer.DropWatch;
import io.millrace.config.Addresses;
import io.millrace.config.LinkSettings;
import io.millrace.config.TransportSettings;
import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.HandshakeException;
import io.millrace.crypto.HandshakeProvider;
import io.millrace.crypto.HandshakeSettings;
import io.millrace.crypto.Handshaker;
import io.millrace.driver.DriverProvider;
import io.millrace.event.EventSubscribers;
import io.millrace.event.GuardedEvents;
import io.millrace.event.TransportEvents;
import io.millrace.handshake.psk.PreSharedKey;
import io.millrace.node.DrainReport;
import io.millrace.node.TransportException;
import io.millrace.protocol.congestion.ReceiveBudget;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorSystem;

/**
 * One node: the single entry for everything that an application starts. It owns the workers from
 * start to close, listens for handshakes, and knows the peers. Safe on any thread; cheap to share.
 */
public final class TransportPool implements AutoCloseable {
  private static final String AUTO = "auto";

  private final TransportSettings settings;
  private final DriverProvider driver;
  private final AeadProvider aead;
  private final NodeServices node;
  private final NodeBodies bodies;
  private final NodeSystem system;
  private final DropWatch drops;
  private final EventSubscribers events;
  private final PeerDirectory directory;
  private final NodeHandshakes handshakes;
  private final List<SubmissionPort> ports = new ArrayList<>();
  private final List<WorkerDescription> workers = new ArrayList<>();
  private final List<WorkerRef> actors = new ArrayList<>();
  private final WorkerStarter starter;
  private final NodeDrain drain;
  private final RegionQueries regionQueries;
  private final Handshaker handshaker;
  private final String address;
  private volatile boolean closing;

  /**
   * Starts a node: returns when its workers run and its handshake address is open.
   *
   * @throws TransportException if it cannot be started: port in use, no driver, no cipher
   * @throws io.millrace.config.SettingsException if settings contradict each other
   */
  public static TransportPool start(PoolOptions options) {
    NodeSettingsCheck.check(options.settings());
    NodeSystem system = NodeSystem.of(options);
    try {
      TransportPool pool = new TransportPool(options, system);
      options.environment().onStarted(pool);
      return pool;
    } catch (RuntimeException e) {
      system.close(List.of());
      throw e;
    }
  }

  private static InlineBudget inlineBudget(TransportSettings settings) {
    LinkSettings link = settings.nic().link();
    return new InlineBudget(
        settings.limits(),
        settings.nic().maxDatagramBytes(),
        new ReceiveBudget(link.bytesPerSecond(1), link.queueBytes()));
  }

  private TransportPool(PoolOptions options, NodeSystem system) {
    this.settings = options.settings();
    this.system = system;
    NodeEnvironment environment = options.environment();
    drops = environment.drops();
    aead = options.aead() != null ? options.aead() : chooseAead(settings, environment.ciphers());
    Consumer<Throwable> onThrown =
        e -> system.system().log().error("a subscriber to events threw", e);
    events =
        new EventSubscribers(
            GuardedEvents.of(options.events(), onThrown),
            onThrown,
            () -> environment.newExecutor(1));
    if (settings.limits().process().logsEvents()) {
      EventLog.subscribe(events);
    }
    driver = chooseDriver(options, events);
    InlineBudget budget = inlineBudget(settings);
    bodies = new NodeBodies(settings, options, DriverChoice.isOneSided(driver), events);
    node =
        new NodeServices(
            new WorkerContext.Shared(settings, events, aead, budget, bodies.services()),
            driver,
            new Routes(),
            new StreamBudget(
                new ByteBudget(settings.streams().budgetBytes()),
                bodies.services().assembly(),
                settings.streams().perPeerBytes()));
    long incarnation = environment.newRandom("incarnation").nextLong();
    WaitingRoom room = new WaitingRoom(settings.limits().waiting().submissions());
    for (int worker = 0; worker < settings.workers().count(); worker++) {
      ports.add(new SubmissionPort(worker, settings, room, incarnation));
    }
    directory =
        new PeerDirectory(ports, settings.limits().waiting().calls(), settings.limits().peers());
    handshakes =
        new NodeHandshakes(settings, events, directory, budget, incarnation, system.system());
    starter = new WorkerStarter(system, node, environment);
    for (WorkerStarter.Started started : starter.start(ports, handshakes)) {
      workers.add(started.description());
      actors.add(new WorkerRef(started.actor()));
    }
    drain = new NodeDrain(system.system(), List.copyOf(actors));
    regionQueries = new RegionQueries(List.copyOf(actors), system.system().executionContext());
    handshakes.onWorkersStarted(workers, actors);
    handshaker = listen(environment.handshakes(), settings, handshakes, incarnation);
    String advertised = settings.handshake().advertised();
    address = advertised.isEmpty() ? Addresses.format(handshaker.localAddress()) : advertised;
    handshakes.onListening(handshaker, address);
  }

  /** This node's handshake address, host:port, with the port that was taken. */
  public String address() {
    return address;
  }

  /** The actor system that it lives in. */
  public ActorSystem<?> system() {
    return system.system();
  }

  /** The settings it was started with. */
  public TransportSettings settings() {
    return settings;
  }

  /** What this node serves. */
  public Routes routes() {
    return node.routes();
  }

  /** The driver of the workers' endpoints. */
  public String driverName() {
    return driver.name();
  }

  /** What seals packets. */
  public String aeadName() {
    return aead.name();
  }

  /** What the transfers of all workers share. */
  public BodyServices bodies() {
    return bodies.services();
  }

  /** Memory of the sealed bytes that this node sends. */
  public BufferRegistry buffers() {
    return bodies.services().buffers();
  }

  /** Notices what was dropped and not closed. */
  public DropWatch drops() {
    return drops;
  }

  /** The workers. */
  public List<WorkerDescription> workers() {
    return List.copyOf(workers);
  }

  /** Where events go. */
  public EventSubscribers events() {
    return events;
  }

  /**
   * The executors around this have ended, too: what memory somebody holds still is told, and who
   * subscribed to events hears the last of them. Idempotent.
   */
  public void finish() {
    buffers().reportLeaks();
    events.close();
  }

  /** Handshakes of others that this node refused so far. */
  public long refusedHandshakes() {
    return handshakes.refusedCount();
  }

  /** The counters of a worker's paths. */
  public SubmissionPort port(int worker) {
    return ports.get(worker);
  }

  /** What the node has at this moment; on the thread of its workers, or when they have ended. */
  public NodeCensus census() {
    return NodeCensus.of(this, node);
  }

  /**
   * What the regions of each worker hold, as their owners tell it on the workers' threads;
   * completes on a thread of the actor system, and fails with {@link TransportException} if the
   * node closes.
   */
  public CompletableFuture<List<RegionPoolCensus>> regions() {
    return regionQueries.ask();
  }

  /** Whether {@link #close} was called; it may not have returned yet. */
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
   * @throws TransportException if there are too many peers
   */
  public PeerHandle peer(String handshakeAddress) {
    return directory
        .admit(Addresses.parseArgument("the peer's address", handshakeAddress), this::onHeld)
        .handle();
  }

  private void onHeld(PeerHandle peer) {
    actors.get(peer.port().worker()).tell(new WorkerCommand.AdmitPeer(peer.link()));
  }

  /** Shakes hands with the peer unless there is a path; the future fails with why there is none. */
  public CompletableFuture<Void> connect(PeerHandle peer) {
    return actors
        .get(peer.port().worker())
        .ask(answer -> new WorkerCommand.Connect(peer.link(), answer));
  }

  /**
   * Brings the node's transfers to their end, new ones of peers being refused, later those of its
   * own too; rule T-11. The future completes on a thread of the actor system.
   *
   * @param limit how long it may take, not negative; then the future completes with what is left
   */
  public CompletableFuture<DrainReport> drain(Duration limit) {
    DrainReport.requireLimit(limit);
    handshakes.onDraining();
    return drain.begin(limit);
  }

  /** {@link #drain} of a node that is closed next: what it leaves is logged, for nobody asked. */
  public CompletableFuture<DrainReport> drainToClose(Duration limit) {
    CompletableFuture<DrainReport> drained = drain(limit);
    return settings.limits().process().logsEvents()
        ? drained.whenComplete((left, failure) -> EventLog.onDrained(limit, left))
        : drained;
  }

  /**
   * Tells the peers, fails what is under way, and ends the workers. Idempotent; waits for a while.
   */
  @Override
  public void close() {
    closing = true;
    handshakes.onClosing();
    drain.onClosing();
    handshaker.close();
    boolean ended = system.close(starter.callerLoops());
    ports.forEach(port -> port.close(WorkerEnd.CLOSED));
    bodies.close();
    if (ended) {
      handshakes.onClosed();
    }
    drain.onClosed();
    actors.forEach(actor -> actor.onEnded(WorkerEnd.CLOSED.text()));
  }

  private static DriverProvider chooseDriver(PoolOptions options, TransportEvents events) {
    DriverProvider chosen = options.driver();
    if (chosen == null) {
      chosen = options.environment().driver();
    }
    return chosen == null
        ? DriverChoice.choose(options.settings().nic().driver(), events::onDriverPassedOver)
        : chosen;
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

  private static Handshaker listen(
      HandshakeProvider provider,
      TransportSettings settings,
      NodeHandshakes handshakes,
      long incarnation) {
    InetSocketAddress listen = settings.handshake().listen();
    try {
      return provider.open(
          new HandshakeSettings(
              listen,
              new PreSharedKey(settings.handshake().psk()),
              incarnation,
              settings.handshake().timeoutNs()),
          handshakes);
    } catch (HandshakeException e) {
      throw new TransportException(String.valueOf(e.getMessage()), e);
    }
  }
}
