package io.millrace.path.peer;

import io.millrace.access.admission.NodeAccess;
import io.millrace.body.BodyServices;
import io.millrace.buffer.BlockClass;
import io.millrace.buffer.BufferRegistry;
import io.millrace.buffer.BufferSettings;
import io.millrace.buffer.ByteBudget;
import io.millrace.config.TransportSettings;
import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.AesKeySize;
import io.millrace.crypto.PathSecret;
import io.millrace.crypto.WorkerPair;
import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointAddress;
import io.millrace.ends.BodyWork;
import io.millrace.ends.InlineBudget;
import io.millrace.ends.RequestBudget;
import io.millrace.ends.StreamBudget;
import io.millrace.engine.Routes;
import io.millrace.event.RecordingEvents;
import io.millrace.event.TransportEvents;
import io.millrace.memory.SegmentBuffer;
import io.millrace.path.WorkerTurn;
import io.millrace.path.network.PathNetwork;
import io.millrace.path.network.RailPlan;
import io.millrace.path.packet.PathTerms;
import io.millrace.path.packet.PathToken;
import io.millrace.path.packet.PeerIncarnation;
import io.millrace.path.packet.WorkerContext;
import io.millrace.path.packet.WorkerTime;
import io.millrace.path.region.WorkerRegions;
import io.millrace.protocol.congestion.ReceiveBudget;
import io.millrace.protocol.health.HealthListener;
import io.millrace.protocol.health.HealthSettings;
import io.millrace.protocol.health.SharedPeerHealth;
import io.millrace.protocol.schedule.PriorityScheduler;
import io.millrace.protocol.schedule.SchedulerPolicy;
import io.millrace.protocol.schedule.TimingWheel;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * The paths of one worker over a network, turn by turn under a clock that the test sets. The lab
 * stands for the worker's cycle and for the peers' actors.
 */
public abstract class PathLab implements PeerPath.Owner {
  public static final int MAX_DATAGRAM_BYTES = 8_972;
  public static final long WINDOW_BYTES = 1 << 20;

  /** Ids of secrets that peers said they lost. */
  public final List<Long> doubted = new ArrayList<>();

  private static final String PSK =
      "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

  // Each selection tries every provider.
  static final AeadProvider SMALL = AeadProviders.discover().select(0);
  private static final AeadProvider LARGE = AeadProviders.discover().select(1 << 16);
  private static final AeadProvider AUTHENTICATING =
      AeadProviders.discover().selectAuthenticating();

  public final RecordingEvents events = new RecordingEvents(10_000);
  public final Routes routes = new Routes();
  private final PathNetwork network;
  public final WorkerServices services;
  private final WorkerTurn turn;
  private final SubmissionPort port;
  public final List<PeerPath> ended = new ArrayList<>();
  public final List<Throwable> faults = new ArrayList<>();
  public long nowNs = 1_000_000_000L;

  /** The event, or the notice to the path's owner, that throws. */
  public String planted = "";

  /**
   * A lab over this network.
   *
   * @param sendBuffers of the network
   * @param blocks of 64 KiB that bodies may take
   * @param receive the bytes that peers may send, by the bounds of this worker's link and queue
   * @param work runs the work of bodies
   */
  protected PathLab(
      PathNetwork network,
      int sendBuffers,
      String overrides,
      AeadProvider aead,
      int blocks,
      ReceiveBudget receive,
      BodyWork work) {
    this.network = network;
    TransportSettings settings =
        TransportSettings.parse(
            "millrace.profile = dedicated, millrace.handshake.provider = psk,"
                + " millrace.handshake.psk = \""
                + PSK
                + "\"\nmillrace.nic.send-buffers = "
                + sendBuffers
                + "\n"
                + overrides);
    InlineBudget budget = new InlineBudget(settings.limits(), settings.nic().maxDatagramBytes());
    BodyServices bodies = bodies(settings, blocks, work);
    NodeServices node =
        new NodeServices(
            new WorkerContext.Terms(
                settings,
                throwingWhere(),
                aead,
                budget,
                bodies,
                new PathToken.Maker(new byte[32]),
                NodeAccess.open()),
            routes,
            new StreamBudget(
                new ByteBudget(settings.streams().budgetBytes()),
                bodies.assembly(),
                settings.streams().perPeerBytes()),
            new RequestBudget(settings.limits().waiting().requestBudgetBytes()));
    TimingWheel wheel =
        new TimingWheel(settings.workers().wheelTickNs(), settings.workers().wheelSlots(), nowNs);
    port = new SubmissionPort(0, settings);
    port.counters().data().direct(events, path -> "");
    services =
        new WorkerServices(
            node,
            0,
            port.inbound(),
            network,
            new WorkerTime(wheel),
            () -> new PriorityScheduler<>(SchedulerPolicy.WEIGHTED),
            regions(settings, wheel, receive));
    turn = new WorkerTurn(services, port.rings(), faults::add);
  }

  private void throwWhere(String place) {
    if (place.equals(planted)) {
      throw new IllegalStateException("planted in " + place);
    }
  }

  /** The events, of which the planted event throws. */
  private TransportEvents throwingWhere() {
    return (TransportEvents)
        Proxy.newProxyInstance(
            TransportEvents.class.getClassLoader(),
            new Class<?>[] {TransportEvents.class},
            (_, method, arguments) -> {
              throwWhere(method.getName());
              return method.invoke(events, arguments);
            });
  }

  private static BodyServices bodies(TransportSettings settings, int blocks, BodyWork work) {
    return new BodyServices(
        work,
        new BufferRegistry(new BufferSettings(List.of(new BlockClass(1 << 16, blocks)), 1 << 18)),
        settings.transfers(),
        LARGE,
        AUTHENTICATING,
        settings.crypto(),
        new Random(1));
  }

  private static WorkerRegions regions(
      TransportSettings settings, TimingWheel wheel, ReceiveBudget receive) {
    return new WorkerRegions(
        settings.regions(), receive, wheel, List.of(), memory -> {}, 1, what -> {});
  }

  /** The terms of a path after its handshake, as the side of this path sees the terms. */
  public static PathTerms terms(int path, boolean initiator, long windowBytes) {
    return terms(path, initiator, windowBytes, new PeerIncarnation("10.0.0." + path + ":1", 1));
  }

  /** The same terms, of this life of a peer. */
  public static PathTerms terms(
      int path, boolean initiator, long windowBytes, PeerIncarnation peer) {
    byte[] secret = new byte[PathSecret.LENGTH];
    Arrays.fill(secret, (byte) (path + 1));
    return new PathTerms(
        peer,
        new PathSecret(secret),
        initiator,
        new WorkerPair(0, 0),
        RailPlan.only(new EndpointAddress("fake", new byte[] {(byte) path}), initiator),
        windowBytes,
        new PathTerms.Window(windowBytes, windowBytes),
        new PathTerms.Agreement(65_536, MAX_DATAGRAM_BYTES, AesKeySize.AES_128, 16 << 10, 0, 0),
        PathTerms.Handshake.ofUnproved(1_000_000));
  }

  public PeerLink link(int peer) {
    return link(peer, CallLimits.of(100));
  }

  /** A link with these bounds on its waiting calls. */
  PeerLink link(int peer, CallLimits limits) {
    SharedPeerHealth health =
        new SharedPeerHealth("10.0.0." + peer + ":1", HealthSettings.DEFAULT, HealthListener.NONE);
    PeerLink link = new PeerLink(health, limits, port.rings()::isDrained);
    link.onTime(services.context().time());
    link.onSearchSettings(services.context().settings().recovery().health().search());
    return link;
  }

  /** Submissions that the worker has not taken. */
  int submissionsWaiting() {
    return port.rings().waiting();
  }

  /** The handle by which an application submits calls to the peer of this link. */
  public PeerHandle handle(PeerLink link) {
    return new PeerHandle("10.0.0.1:1", port, link);
  }

  public PeerPath open(PeerLink link, int path, boolean initiator) throws DriverException {
    return open(link, terms(path, initiator, WINDOW_BYTES));
  }

  public PeerPath open(PeerLink link, PathTerms terms) throws DriverException {
    PeerPath opened = PeerPath.open(services, this, link, terms);
    link.onPathOpened(opened);
    return opened;
  }

  /** Turns the worker once, as the cycle of a worker does. */
  public void turn() {
    turn.begin(nowNs);
    poll(turn);
    turn.run();
    network.flush(nowNs);
  }

  /** Gives the datagrams that have arrived to the turn. */
  protected abstract void poll(CompletionHandler turn);

  /** Handles a datagram outside of a turn. */
  public void onReceive(SegmentBuffer buffer, int offset, int length, int ecn) {
    turn.begin(nowNs);
    turn.onReceive(buffer, offset, length, ecn);
  }

  /** Turns, with time going on by {@code stepNs} after each. */
  public void turns(int count, long stepNs) {
    for (int i = 0; i < count; i++) {
      turn();
      nowNs += stepNs;
    }
  }

  /** The time at which trains that wait for a rate may leave, ns. */
  public long nextSendNs() {
    return Math.min(
        services.context().schedule().nextDeadlineNs(),
        services.context().time().paced().nextDeadlineNs());
  }

  @Override
  public void onPathEnded(PeerPath path) {
    ended.add(path);
  }

  @Override
  public void onRenewalDue(PeerPath path) {
    throw new AssertionError("a path of this lab is never old");
  }

  @Override
  public boolean isAsked() {
    return false;
  }

  @Override
  public void onDoubt(PeerPath path, long wireId) {
    throwWhere("onDoubt");
    doubted.add(wireId);
  }

  @Override
  public void onSecret(PeerPath path, long wireId) {
    // The paths of the lab are looked up by its tests.
  }

  @Override
  public void onSecretGone(long wireId) {
    // The paths of the lab are looked up by its tests.
  }

  @Override
  public void onPathFault(PeerPath path, Throwable fault) {
    faults.add(fault);
  }
}
