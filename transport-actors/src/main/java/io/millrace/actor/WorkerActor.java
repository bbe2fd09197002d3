package io.millrace.actor;

import io.millrace.config.LinkSettings;
import io.millrace.config.TransportSettings;
import io.millrace.config.WorkerSettings;
import io.millrace.driver.DriverException;
import io.millrace.driver.Endpoint;
import io.millrace.loop.EventLoop;
import io.millrace.loop.LoopSettings;
import io.millrace.loop.NodeMemory;
import io.millrace.loop.Pinning;
import io.millrace.loop.SysfsTopology;
import io.millrace.nic.EndpointOpener;
import io.millrace.nic.NodeNics;
import io.millrace.nic.WorkerEndpoints;
import io.millrace.path.packet.WorkerSchedule;
import io.millrace.path.packet.WorkerTime;
import io.millrace.path.peer.HandshakePort;
import io.millrace.path.peer.NodeServices;
import io.millrace.path.peer.PathRefusal;
import io.millrace.path.peer.PeerLink;
import io.millrace.path.peer.PeerPath;
import io.millrace.path.peer.SubmissionPort;
import io.millrace.path.peer.WorkerCensus;
import io.millrace.path.peer.WorkerRemains;
import io.millrace.path.peer.WorkerServices;
import io.millrace.path.region.WorkerRegions;
import io.millrace.protocol.schedule.PriorityScheduler;
import io.millrace.protocol.schedule.SchedulerPolicy;
import io.millrace.protocol.schedule.TimingWheel;
import io.millrace.protocol.schedule.TimingWheels;
import io.millrace.worker.ConnectFailedException;
import io.millrace.worker.NicWatch;
import io.millrace.worker.WorkerCycle;
import io.millrace.worker.WorkerDescription;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;

/**
 * Owns a worker: its endpoints, its duty cycle, and the actors that live on its thread (peers,
 * region pool). The actor runs on the worker's dispatcher, whose loop calls the duty cycle between
 * messages.
 */
public final class WorkerActor extends AbstractBehavior<WorkerCommand> {
  /** The peer opens its side on the handshake's last message; earlier packets are lost. */
  private static final Duration REFUSAL_DELAY = Duration.ofMillis(50);

  private static final int QUANTUM_BYTES = PriorityScheduler.DEFAULT_QUANTUM_BYTES;

  private final EventLoop loop = EventLoop.current();
  private final SubmissionPort port;
  private final HandshakePort handshakes;
  private final WorkerEndpoints endpoints;
  private final WorkerServices services;
  private final WorkerCycle cycle;
  private final ActorRef<RegionPoolActor.Command> regionPool;
  private final Map<PeerLink, ActorRef<PeerCommand>> peers = new LinkedHashMap<>();
  private int peersSoFar;

  /**
   * The node that workers belong to.
   *
   * @param services the services that all workers share
   * @param nics the NICs whose endpoints the workers open
   */
  public record Node(NodeServices services, NodeNics nics) {}

  /**
   * A worker that answers {@code started} when its endpoint is open, or with the reason of a
   * failure.
   *
   * @param wheels make the worker's timers
   * @param regionKeySeed random, another for each life of a worker
   */
  public static Behavior<WorkerCommand> create(
      Node node,
      SubmissionPort port,
      HandshakePort handshakes,
      TimingWheels wheels,
      long regionKeySeed,
      CompletableFuture<WorkerDescription> started) {
    return Behaviors.setup(
        context -> {
          WorkerEndpoints opened = null;
          try {
            opened =
                EndpointOpener.open(
                    node.nics().placesOf(port.worker()), port.worker(), node.services().events());
            WorkerActor actor =
                new WorkerActor(context, node, port, handshakes, wheels, regionKeySeed, opened);
            started.complete(actor.describe(node.nics().link(port.worker())));
            return actor;
          } catch (DriverException | RuntimeException | Error e) {
            if (opened != null) {
              opened.close();
            }
            started.completeExceptionally(e);
            return Behaviors.stopped();
          }
        });
  }

  private WorkerActor(
      ActorContext<WorkerCommand> context,
      Node node,
      SubmissionPort port,
      HandshakePort handshakes,
      TimingWheels wheels,
      long regionKeySeed,
      WorkerEndpoints endpoints) {
    super(context);
    this.port = port;
    this.handshakes = handshakes;
    this.endpoints = endpoints;
    NodeServices shared = node.services();
    TransportSettings settings = shared.settings();
    WorkerTime time = new WorkerTime(wheel(settings.workers(), wheels));
    NodeMemory place =
        NodeMemory.of(settings.workers().numa(), core(), SysfsTopology::ofThisMachine);
    WorkerRegions regions =
        new WorkerRegions(
            settings.regions(),
            node.nics().receiveBudget(port.worker()),
            time.wheel(),
            endpoints.remoteMemories(),
            place::place,
            regionKeySeed,
            what -> shared.events().onResourceDegraded(port.worker(), what));
    regions.report(shared.events(), port.worker());
    tell(shared, place);
    services =
        new WorkerServices(
            shared,
            port.worker(),
            port.inbound(),
            endpoints,
            time,
            () -> scheduler(settings),
            regions);
    services.paths().unknown().onNodeSecrets(handshakes::isKnown);
    port.onRegions(regions);
    port.causality().onStarted(shared.events());
    port.onStarted(
        () -> WorkerCensus.of(services, port.rings().waiting()), services.paths()::incarnations);
    tellNotices(shared);
    NicWatch nics =
        new NicWatch(services, endpoints, () -> handshakes.onNic(port.worker(), endpoints.isUp(0)));
    cycle = new WorkerCycle(services, endpoints, port.rings(), nics, this::onCycleClosed);
    loop.register(cycle);
    port.onLoopStarted(loop::wakeUp, loop::inLoop);
    regionPool = context.spawn(RegionPoolActor.create(port.worker(), regions), "regions", here());
    // A worker cannot work without its regions: the worker ends if the regions do, or its group of
    // slots does.
    context.watch(regionPool);
    context.watch(
        context.spawn(
            CausalityGroupActor.create(port.causality(), services.context()::end),
            "causality",
            here()));
  }

  private static PriorityScheduler<WorkerSchedule.Sender> scheduler(TransportSettings settings) {
    return new PriorityScheduler<>(
        SchedulerPolicy.valueOf(settings.scheduler().policy().name()),
        settings.scheduler().weightsWith(settings.limits().waiting().admissionMinimum()),
        QUANTUM_BYTES);
  }

  private TimingWheel wheel(WorkerSettings settings, TimingWheels wheels) {
    return wheels.make(settings.wheelTickNs(), settings.wheelSlots(), loop.nowNs());
  }

  private void tell(NodeServices node, NodeMemory place) {
    if (place.localBytes() + place.remoteBytes() > 0) {
      node.events().onMemoryPlaced(port.worker(), place.node(), place.remoteBytes());
    }
    if (place.refusal() != null) {
      node.events().onResourceDegraded(port.worker(), "near memory: " + place.refusal());
    }
  }

  /** Tells of each resource that an endpoint has less of than the settings want. */
  private void tellNotices(NodeServices node) {
    for (int i = 0; i < endpoints.size(); i++) {
      endpoints
          .endpoint(i)
          .notices()
          .degraded()
          .forEach(what -> node.events().onResourceDegraded(port.worker(), what));
    }
  }

  /** The CPU of this thread, or {@link LoopSettings#ANY_CORE}. */
  private int core() {
    Pinning pinning = loop.pinning();
    return pinning.isPinned() ? pinning.requestedCpu() : LoopSettings.ANY_CORE;
  }

  @Override
  public Receive<WorkerCommand> createReceive() {
    return newReceiveBuilder()
        .onAnyMessage(this::onCommand)
        .onSignal(PostStop.class, signal -> onStop())
        .build();
  }

  private Behavior<WorkerCommand> onCommand(WorkerCommand command) {
    services.context().time().onTurn(loop.nowNs());
    switch (command) {
      case WorkerCommand.AdmitPeer admitted -> peer(admitted.link());
      case WorkerCommand.OpenPath opened ->
          peer(opened.link()).tell(new PeerCommand.OpenPath(opened.terms()));
      case WorkerCommand.FencePeer fenced -> onFencePeer(fenced);
      case WorkerCommand.HandshakeFailed failed ->
          peer(failed.link()).tell(new PeerCommand.HandshakeFailed(failed.reason()));
      case WorkerCommand.RefusePath refused -> onRefusePath(refused);
      case WorkerCommand.EndRefusedPath refused ->
          PathRefusal.refuse(services, refused.identity(), refused.terms(), refused.reason());
      case WorkerCommand.InstallSecret secret -> onInstallSecret(secret);
      case WorkerCommand.YieldPeer yielding -> peer(yielding.link()).tell(new PeerCommand.Yield());
      case WorkerCommand.EvictPath evicted -> onEvictPath(evicted);
      case WorkerCommand.GiveUpPeer given ->
          peer(given.link()).tell(new PeerCommand.GiveUp(given.cause()));
      case WorkerCommand.ForgetPeer forgotten -> onForgetPeer(forgotten.link());
      case WorkerCommand.Connect connect -> onConnect(connect);
      case WorkerCommand.Drain drain -> onDrain(drain);
      case WorkerCommand.TakeRegionCensus census ->
          regionPool.tell(new RegionPoolActor.Command.TakeCensus(census.answer()));
      case WorkerCommand.Close() -> {
        return onClose();
      }
    }
    return this;
  }

  private void onFencePeer(WorkerCommand.FencePeer command) {
    services.paths().endFormer(command.newest());
    handshakes.onFenced(command.newest(), port.worker());
  }

  private void onRefusePath(WorkerCommand.RefusePath command) {
    getContext()
        .scheduleOnce(
            REFUSAL_DELAY,
            getContext().getSelf(),
            new WorkerCommand.EndRefusedPath(
                command.identity(), command.terms(), command.reason()));
  }

  private void onInstallSecret(WorkerCommand.InstallSecret command) {
    PeerPath path = services.paths().ofId(command.pathId());
    if (path == null || !path.incarnation().equals(command.peer())) {
      command.secret().close();
    } else {
      path.packets().onTurn(services.context().time().turnNs());
      path.packets().renewal().install(command.secret(), command.initiator(), command.identity());
    }
  }

  private void onEvictPath(WorkerCommand.EvictPath command) {
    PeerPath path = services.paths().ofId(command.pathId());
    if (path != null) {
      path.evictIfIdle(services.context().time().turnNs());
    }
  }

  private void onForgetPeer(PeerLink link) {
    ActorRef<PeerCommand> peer = peers.remove(link);
    if (peer != null) {
      peer.tell(new PeerCommand.Close());
    }
  }

  private void onConnect(WorkerCommand.Connect command) {
    peer(command.link());
    command
        .link()
        .connect(
            reason -> {
              if (reason == null) {
                command.answer().complete(null);
              } else {
                command.answer().completeExceptionally(new ConnectFailedException(reason));
              }
            });
  }

  private void onDrain(WorkerCommand.Drain command) {
    services.drain();
    if (command.isLast()) {
      port.rings().onDrained();
    }
    long waiting =
        peers.keySet().stream().mapToLong(PeerLink::waitingCount).sum()
            + port.causality().waiting();
    command.answer().complete(WorkerRemains.of(services, waiting));
  }

  private Behavior<WorkerCommand> onClose() {
    services.context().onClosing();
    return ClosingWorker.create(
        services, List.copyOf(peers.values()), regionPool, handshakes, this::leaveLoop);
  }

  private void leaveLoop() {
    loop.unregister(cycle);
  }

  private Behavior<WorkerCommand> onStop() {
    leaveLoop();
    return this;
  }

  /**
   * The actors below have stopped before: the paths are closed, and of the receive regions nothing
   * is registered any more. The regions' memory is present still, because deregistering fences
   * nothing: writes on their way may land until the endpoint is closed.
   */
  private void onCycleClosed() {
    port.close(services.context().end());
    services.packets().closes().close();
    services.context().dataKeys().close();
    endpoints.close();
    services.writes().close();
    handshakes.onWorkerEnded(port.worker(), services.context().end());
  }

  private ActorRef<PeerCommand> peer(PeerLink link) {
    return peers.computeIfAbsent(
        link,
        wanted ->
            getContext()
                .spawn(
                    Behaviors.supervise(PeerActor.create(services, wanted, handshakes, loop::nowNs))
                        .onFailure(SupervisorStrategy.restart()),
                    "peer-" + peersSoFar++,
                    here()));
  }

  private WorkerDescription describe(LinkSettings link) {
    Endpoint endpoint = endpoints.endpoint(0);
    Pinning pinning = loop.pinning();
    int core = core();
    if (pinning.refusal() != null) {
      services.events().onPinFailed(port.worker(), pinning.requestedCpu(), pinning.refusal());
    }
    services.events().onWorkerStarted(port.worker(), loop.name(), core);
    return new WorkerDescription(
        port.worker(),
        loop.name(),
        core,
        endpoint.localAddress(),
        endpoint.capabilities().maxDatagramBytes(),
        loop.counters(),
        endpoint.counters(),
        endpoints.descriptions(),
        link);
  }

  private static DispatcherSelector here() {
    return DispatcherSelector.sameAsParent();
  }
}
