package io.millrace.testkit.internal.oracle;

import io.millrace.access.AccessPolicy;
import io.millrace.config.TransportSettings;
import io.millrace.crypto.AeadKey;
import io.millrace.crypto.CipherUse;
import io.millrace.crypto.KeyLimits;
import io.millrace.crypto.PacketCipher;
import io.millrace.ends.ExecutorLane;
import io.millrace.engine.PoolOptions;
import io.millrace.engine.TransportPool;
import io.millrace.event.Subscriber;
import io.millrace.node.HangAction;
import io.millrace.path.call.PeerCall;
import io.millrace.path.peer.PeerHandle;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.FullNode;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.FabricSettings;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.LossSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.NodeSettings;
import io.millrace.testkit.sim.Oracle;
import io.millrace.testkit.sim.SimCluster;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** Simulated nodes that echo, under rules that run after each event. */
final class OracleNodes {
  static final long SECOND_NS = 1_000_000_000L;
  private static final RouteId ECHO = RouteId.of("echo");

  final Simulation simulation;
  final FullCluster cluster;
  private final List<ExecutorService> executors = new ArrayList<>();
  private final List<TransportPool> pools = new ArrayList<>();
  private final List<Call> calls = new ArrayList<>();
  private Oracles oracle = Oracles.of(List.of());

  /** Creates two nodes, both down. */
  OracleNodes(Simulation simulation, NetworkSettings network) {
    this(simulation, network, null);
  }

  /** Creates two nodes, both down, on a fabric unless its settings are null. */
  OracleNodes(Simulation simulation, NetworkSettings network, @Nullable FabricSettings fabric) {
    this.simulation = simulation;
    cluster = new FullCluster(simulation, network, fabric);
    cluster.add(2, NodeSettings.DEFAULT);
  }

  /**
   * Makes calls of many sizes both ways, with the loss of one datagram of twenty, under one rule.
   *
   * @param count reads the rule's count of checks
   * @return this count at the end
   */
  static <R extends Oracle> long exchangeWithLoss(
      Function<FullCluster, R> makeRule, ToLongFunction<R> count) throws Exception {
    return SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(7)) {
            LinkSettings link = LinkSettings.clean(50_000).withLoss(LossSettings.random(50_000));
            OracleNodes nodes =
                new OracleNodes(simulation, NetworkSettings.clean(50_000).withLink(link));
            R rule = makeRule.apply(nodes.cluster);
            nodes.start(rule, SimTransportSettings.parse("")).exchange(40).awaitCalls();
            nodes.finish();
            return count.applyAsLong(rule);
          }
        });
  }

  /** Returns a cipher of a running node, with a separate key for each number. */
  PacketCipher cipher(int node, int key, CipherUse use) {
    byte[] material = new byte[28];
    material[0] = (byte) key;
    return cluster
        .node(node)
        .environment()
        .ciphers()
        .select(0)
        .cipher(new AeadKey(material), use, KeyLimits.DEFAULT);
  }

  /** Boots all nodes under these rules, made for this cluster. */
  OracleNodes start(Oracle rules, TransportSettings settings) {
    oracle = Oracles.of(List.of(rules));
    for (FullNode node : cluster.nodes()) {
      pools.add(boot(node, settings));
    }
    return this;
  }

  /** Boots a crashed node again; its calls have no outcome. */
  void reboot(int index, TransportSettings settings) {
    calls.removeIf(call -> call.from == index);
    pools.set(index, boot(cluster.node(index), settings));
  }

  private TransportPool boot(FullNode node, TransportSettings settings) {
    node.boot();
    ExecutorService executor = node.environment().newExecutor(2);
    executors.add(executor);
    ExecutorLane lane = new ExecutorLane(executor, 1024, 2, node.environment().lastResort());
    TransportPool pool =
        TransportPool.start(
            new PoolOptions(
                SimCluster.settings(node.number(), settings),
                null,
                null,
                null,
                Subscriber.NONE,
                HangAction.NONE,
                lane,
                node.environment(),
                AccessPolicy.ALL));
    pool.routes()
        .add(ECHO, call -> call.reply(call.buffer(), call.payloadOffset(), call.payloadLength()));
    return pool;
  }

  TransportPool pool(int index) {
    return pools.get(index);
  }

  Call call(int from, int to, int bytes) {
    PeerHandle peer = pools.get(from).peer(SimCluster.handshakeAddress(to));
    Call call = new Call(from, peer, new byte[bytes]);
    calls.add(call);
    peer.submit(call);
    return call;
  }

  /** Makes calls of many sizes both ways. */
  OracleNodes exchange(int count) {
    for (int i = 0; i < count; i++) {
      call(i % 2, 1 - i % 2, i % 5 == 0 ? 300_000 : 100 * i);
    }
    return this;
  }

  /** Lets this much time pass. */
  void runFor(long durationNs) {
    simulation.runUntil(
        () -> {
          oracle.onStep();
          return false;
        },
        simulation.nowNs() + durationNs);
  }

  /** Runs until all calls have an outcome. */
  void awaitCalls() {
    boolean isDone =
        simulation.runUntil(
            () -> {
              oracle.onStep();
              return calls.stream().allMatch(call -> call.isDone);
            },
            simulation.nowNs() + 120 * SECOND_NS);
    if (!isDone) {
      simulation.fail("liveness", "calls without outcome", null);
      simulation.check();
    }
  }

  /** Closes all transports and runs the remaining events. */
  void finish() {
    oracle.onHealed();
    pools.forEach(TransportPool::close);
    executors.forEach(ExecutorService::shutdown);
    simulation.runFor(SECOND_NS);
    oracle.onQuiescent();
    simulation.check();
  }

  long failedCalls() {
    return calls.stream().filter(call -> call.outcome != CallOutcome.OK).count();
  }

  /** A call and its outcome. */
  static final class Call extends PeerCall {
    CallOutcome outcome = CallOutcome.OK;
    private final int from;
    boolean isDone;

    Call(int from, PeerHandle peer, byte[] payload) {
      super(peer.link(), ECHO.id(), 3, new byte[0], payload);
      this.from = from;
    }

    @Override
    protected void onMessage(byte[] headers, byte[] payload) {
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
      isDone = true;
    }

    @Override
    public void onFailure(CallOutcome outcome, String text) {
      this.outcome = outcome;
      isDone = true;
    }
  }
}
