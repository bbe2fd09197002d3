package io.millrace.testkit.internal.path;

import io.millrace.access.admission.NodeAccess;
import io.millrace.body.ArraySource;
import io.millrace.body.BodyServices;
import io.millrace.body.SharedPayload;
import io.millrace.body.SharedSealer;
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
import io.millrace.driver.EndpointAddress;
import io.millrace.ends.InlineBodyWork;
import io.millrace.ends.InlineBudget;
import io.millrace.ends.RequestBudget;
import io.millrace.ends.StreamBudget;
import io.millrace.event.TransportEvents;
import io.millrace.path.WorkerTurn;
import io.millrace.path.network.PairNetwork;
import io.millrace.path.network.RailPlan;
import io.millrace.path.packet.PathTerms;
import io.millrace.path.packet.PathToken;
import io.millrace.path.packet.PeerIncarnation;
import io.millrace.path.packet.WorkerContext;
import io.millrace.path.packet.WorkerTime;
import io.millrace.path.peer.CallLimits;
import io.millrace.path.peer.NodeServices;
import io.millrace.path.peer.PeerHandle;
import io.millrace.path.peer.PeerLink;
import io.millrace.path.peer.PeerPaths;
import io.millrace.path.peer.SubmissionPort;
import io.millrace.path.peer.WorkerServices;
import io.millrace.path.region.WorkerRegions;
import io.millrace.path.stream.StreamCall;
import io.millrace.protocol.congestion.ReceiveBudget;
import io.millrace.protocol.health.HealthListener;
import io.millrace.protocol.health.HealthSettings;
import io.millrace.protocol.health.SharedPeerHealth;
import io.millrace.protocol.schedule.PriorityScheduler;
import io.millrace.protocol.schedule.SchedulerPolicy;
import io.millrace.protocol.schedule.TimingWheel;
import io.millrace.protocol.stream.StreamPattern;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Protection;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A worker with one path, whose turns a program makes: the production code from the submission ring
 * to the posted datagram. The two workers of a pair agree on the terms of their path without a
 * handshake. On one thread.
 */
public final class PairWorker {
  /** The time at which the wheels of both workers begin, ns. */
  public static final long START_NS = 1_000_000_000;

  private static final String LEFT = "left:1";
  private static final String RIGHT = "right:1";
  private static final long WINDOW_BYTES = 1 << 20;
  private static final int TRANSFERS = 1 << 16;
  private static final int BLOCK_BYTES = 1 << 16;
  private static final int BLOCKS = 64;
  private static final int RANGE_BYTES = 1 << 18;
  private static final int MOST_WAITING = 10_000;
  private static final long HANDSHAKE_NS = 1_000_000;

  // Each selection tries every provider.
  private static final AeadProvider SMALL = AeadProviders.discover().select(0);
  private static final AeadProvider LARGE = AeadProviders.discover().select(1 << 16);
  private static final AeadProvider AUTHENTICATING =
      AeadProviders.discover().selectAuthenticating();

  private final PairNetwork.End end;
  private final PairServer server = new PairServer();
  private final List<PumpedStream> streams = new ArrayList<>();
  private final TransportSettings settings;
  private final SubmissionPort port;
  private final WorkerServices services;
  private final WorkerTurn turn;
  private final PeerLink link;
  private final PeerHandle peer;
  private final PeerPaths paths;

  /**
   * A worker with an open path.
   *
   * @param isLeft whether the worker is the left side of the pair, which began the path
   * @param faults told of an exception of the worker's code, which should not happen
   */
  public PairWorker(PairNetwork.End end, boolean isLeft, Consumer<Throwable> faults) {
    this.end = end;
    settings =
        TransportSettings.parse(
            "millrace.profile = dedicated, millrace.handshake.provider = psk,"
                + " millrace.handshake.psk = \""
                + "00".repeat(PathSecret.LENGTH)
                + "\"\nmillrace.nic.send-buffers = "
                + PairNetwork.BUFFERS);
    port = new SubmissionPort(0, settings);
    TimingWheel wheel =
        new TimingWheel(
            settings.workers().wheelTickNs(), settings.workers().wheelSlots(), START_NS);
    services =
        new WorkerServices(
            node(),
            0,
            port.inbound(),
            end,
            new WorkerTime(wheel),
            () -> new PriorityScheduler<>(SchedulerPolicy.WEIGHTED),
            new WorkerRegions(
                settings.regions(),
                new ReceiveBudget(0, 0),
                wheel,
                List.of(),
                memory -> {},
                1,
                text -> {}));
    turn = new WorkerTurn(services, port.rings(), faults);
    String identity = isLeft ? RIGHT : LEFT;
    link =
        new PeerLink(
            new SharedPeerHealth(identity, HealthSettings.DEFAULT, HealthListener.NONE),
            CallLimits.of(MOST_WAITING),
            port.rings()::isDrained);
    peer = new PeerHandle(identity, port, link);
    paths =
        new PeerPaths(
            services,
            link,
            new NoHandshakes(),
            this::refusePath,
            (path, fault) -> faults.accept(fault));
    paths.open(terms(identity, isLeft));
  }

  private NodeServices node() {
    BodyServices bodies =
        new BodyServices(
            new InlineBodyWork(),
            new BufferRegistry(
                new BufferSettings(List.of(new BlockClass(BLOCK_BYTES, BLOCKS)), RANGE_BYTES)),
            settings.transfers(),
            LARGE,
            AUTHENTICATING,
            settings.crypto(),
            new Random(1));
    return new NodeServices(
        new WorkerContext.Terms(
            settings,
            TransportEvents.NONE,
            SMALL,
            new InlineBudget(settings.limits(), settings.nic().maxDatagramBytes()),
            bodies,
            new PathToken.Maker(new byte[PathSecret.LENGTH]),
            NodeAccess.open()),
        server.routes(),
        new StreamBudget(
            new ByteBudget(settings.streams().budgetBytes()),
            bodies.assembly(),
            settings.streams().perPeerBytes()),
        new RequestBudget(settings.limits().waiting().requestBudgetBytes()));
  }

  /** The terms that a handshake would settle, as one of the sides sees them. */
  private PathTerms terms(String identity, boolean isLeft) {
    return new PathTerms(
        new PeerIncarnation(identity, 1),
        new PathSecret(new byte[PathSecret.LENGTH]),
        isLeft,
        new WorkerPair(0, 0),
        RailPlan.only(new EndpointAddress("pair", new byte[1]), isLeft),
        WINDOW_BYTES,
        new PathTerms.Window(WINDOW_BYTES, WINDOW_BYTES),
        new PathTerms.Agreement(
            TRANSFERS,
            settings.nic().maxDatagramBytes(),
            AesKeySize.AES_128,
            settings.limits().headersBytes(),
            0,
            0),
        PathTerms.Handshake.ofUnproved(HANDSHAKE_NS));
  }

  private void refusePath() {
    paths.onHandshakeFailed("the only path of the pair has ended");
  }

  /** Polls the network, turns, and flushes, as the cycle of a worker does. */
  public void turn(long nowNs) {
    turn.begin(nowNs);
    end.poll(turn, nowNs);
    turn.run();
    streams.removeIf(PumpedStream::pump);
    end.flush(nowNs);
  }

  /** Serves the calls of a route; an exception of the handler refuses the call. */
  public void serve(String route, UnaryOperator<byte[]> handler) {
    server.serve(route, handler);
  }

  /** Serves the bulk writes of a route; the receiver gets the bytes of each complete write. */
  public void serveWrites(String route, Consumer<byte[]> receiver) {
    server.serveWrites(route, receiver);
  }

  /** Serves the streams of a route; the handler answers each element with an element. */
  public void serveStreams(String route, UnaryOperator<byte[]> handler) {
    server.serveStreams(route, handler, streams::add);
  }

  /** Calls a route of the peer. */
  public RecordedCall call(String route, byte[] payload) {
    return submit(RecordedCall.unary(link, RouteId.of(route), payload));
  }

  /** Writes a payload in bulk to a route of the peer. */
  public RecordedCall write(String route, byte[] payload) {
    return submit(RecordedCall.write(link, RouteId.of(route), payload));
  }

  private RecordedCall submit(RecordedCall call) {
    peer.submit(call);
    return call;
  }

  /** Seals a payload once, and writes it several times to a route of the peer. */
  public List<RecordedCall> broadcast(String route, byte[] payload, int writes) {
    List<RecordedCall> calls = new ArrayList<>();
    for (int i = 0; i < writes; i++) {
      calls.add(RecordedCall.broadcast(link, RouteId.of(route)));
    }
    SharedSealer.start(
        services.context().bodies(),
        new ArraySource(payload, 0, payload.length),
        new byte[0],
        Protection.SEALED,
        new SharedSealer.Listener() {
          @Override
          public void onSealed(SharedPayload shared) {
            shared.retain(writes - 1);
            for (RecordedCall call : calls) {
              call.share(shared);
              peer.submit(call);
            }
          }

          @Override
          public void onFailed(CallOutcome outcome, String text) {
            calls.forEach(call -> call.onFailure(outcome, text));
          }
        });
    return calls;
  }

  /** Opens a stream to a route of the peer. */
  public PumpedStream open(String route) {
    StreamCall call =
        new StreamCall(
            link,
            port,
            StreamPattern.BIDIRECTIONAL,
            new StreamCall.Opening(
                RouteId.of(route).id(), RecordedCall.PRIORITY, new byte[0], new byte[0]),
            settings);
    peer.submit(call);
    PumpedStream stream = PumpedStream.ofCaller(call.ends());
    streams.add(stream);
    return stream;
  }
}
