package io.millrace.testkit.internal.node;

import io.millrace.access.AccessPolicy;
import io.millrace.config.TransportSettings;
import io.millrace.ends.ExecutorLane;
import io.millrace.engine.PoolOptions;
import io.millrace.engine.TransportPool;
import io.millrace.event.RecordingEvents;
import io.millrace.event.Subscriber;
import io.millrace.event.SubscriptionOptions;
import io.millrace.node.HangAction;
import io.millrace.path.call.PeerCall;
import io.millrace.path.peer.PeerHandle;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.net.SimNetwork;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.LossSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.NodeSettings;
import io.millrace.testkit.sim.SimCluster;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/** Simulated nodes whose transports echo each message. */
final class EchoNodes {
  static final TransportSettings SETTINGS = SimTransportSettings.parse("");
  private static final long DELAY_NS = 50_000;
  private static final RouteId ECHO = RouteId.of("echo");

  private final Simulation simulation;
  private final NodeSettings settings;
  private final TransportSettings transport;
  private final FullCluster cluster;
  private final List<TransportPool> pools = new ArrayList<>();
  final RecordingEvents events = new RecordingEvents(10_000);

  EchoNodes(Simulation simulation, int count, int lossPpm) {
    this(simulation, count, lossPpm, NodeSettings.DEFAULT);
  }

  EchoNodes(Simulation simulation, int count, int lossPpm, NodeSettings settings) {
    this(simulation, count, lossPpm, settings, SETTINGS);
  }

  EchoNodes(
      Simulation simulation,
      int count,
      int lossPpm,
      NodeSettings settings,
      TransportSettings transport) {
    this.simulation = simulation;
    this.settings = settings;
    this.transport = transport;
    LinkSettings link = LinkSettings.clean(DELAY_NS).withLoss(LossSettings.random(lossPpm));
    cluster = new FullCluster(simulation, NetworkSettings.clean(DELAY_NS).withLink(link));
    add(count);
  }

  /** Starts {@code count} more nodes. */
  void add(int count) {
    for (int i = 0; i < count; i++) {
      FullNode node = cluster.add(settings);
      node.boot();
      pools.add(start(node));
    }
  }

  FullNode node(int index) {
    return cluster.node(index);
  }

  TransportPool pool(int index) {
    return pools.get(index);
  }

  FullCluster cluster() {
    return cluster;
  }

  SimNetwork network() {
    return cluster.network();
  }

  void restart(int index) {
    cluster.node(index).boot();
    pools.set(index, start(cluster.node(index)));
  }

  private TransportPool start(FullNode node) {
    ExecutorLane lane =
        new ExecutorLane(
            node.environment().newExecutor(2), 1024, 2, node.environment().lastResort());
    TransportPool pool =
        TransportPool.start(
            new PoolOptions(
                SimCluster.settings(node.number(), transport),
                null,
                null,
                null,
                new Subscriber(events, SubscriptionOptions.DEFAULTS),
                HangAction.NONE,
                lane,
                node.environment(),
                AccessPolicy.ALL));
    pool.routes()
        .add(ECHO, call -> call.reply(call.buffer(), call.payloadOffset(), call.payloadLength()));
    return pool;
  }

  Call call(int from, int to, byte[] payload) {
    PeerHandle peer = pools.get(from).peer(SimCluster.handshakeAddress(to));
    Call call = new Call(peer, payload);
    peer.submit(call);
    return call;
  }

  Simulation simulation() {
    return simulation;
  }

  /** A call and its answer. */
  static final class Call extends PeerCall {
    byte[] answer = {};
    CallOutcome outcome = CallOutcome.OK;
    String failure = "";
    boolean isDone;

    Call(PeerHandle peer, byte[] payload) {
      super(peer.link(), ECHO.id(), 3, new byte[0], payload);
    }

    boolean isDone() {
      return isDone;
    }

    @Override
    protected void onMessage(byte[] headers, byte[] payload) {
      answer = payload;
      isDone = true;
    }

    @Override
    public void onResponse(
        CallOutcome outcome,
        DirectBuffer buffer,
        int headersOffset,
        int headersLength,
        int payloadOffset,
        int payloadLength) {
      this.outcome = outcome;
      answer = new byte[payloadLength];
      buffer.getBytes(payloadOffset, answer);
      isDone = true;
    }

    @Override
    public void onFailure(CallOutcome outcome, String text) {
      this.outcome = outcome;
      failure = text;
      isDone = true;
    }
  }
}
