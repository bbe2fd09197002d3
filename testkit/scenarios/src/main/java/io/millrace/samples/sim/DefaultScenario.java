package io.millrace.samples.sim;

import io.millrace.access.CallPattern;
import io.millrace.access.RouteUse;
import io.millrace.config.TransportSettings;
import io.millrace.samples.sim.access.PlannedAccess;
import io.millrace.testkit.internal.oracle.CleanNetworkOracle;
import io.millrace.testkit.internal.scenario.FullRun;
import io.millrace.testkit.internal.scenario.Scenario;
import io.millrace.testkit.sim.Draws;
import io.millrace.testkit.sim.FabricSettings;
import io.millrace.testkit.sim.FaultSchedule;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.Program;
import io.millrace.testkit.sim.SimNode;
import io.millrace.testkit.sim.SimRun;
import io.millrace.testkit.sim.Swarm;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A few nodes call each other in every way of the API, under every kind of fault. First nothing
 * wrong may happen (safety). Then all faults end, though some nodes may stay lost: every call must
 * come to its end and every node must reach every other node (liveness). Then all nodes are closed
 * and nothing may be left (quiescence).
 */
final class DefaultScenario implements Scenario {
  static final long SPAN_NS = 1_000_000_000;
  private static final int SILENT_PPM = 250_000;

  /**
   * The differences between the variants.
   *
   * @param network draws the network
   * @param fabric draws the fabric over which the workers send; null for datagrams
   * @param transport draws the settings of a node's transports
   * @param faults the kinds of faults
   * @param trouble whether faults happen, and whether all faults end
   * @param retriesBlindly whether the application repeats calls that may have been executed
   * @param load the load of the nodes
   */
  record Variant(
      Function<Swarm, NetworkSettings> network,
      @Nullable Function<Swarm, FabricSettings> fabric,
      Transports transport,
      Consumer<FaultSchedule> faults,
      Trouble trouble,
      boolean retriesBlindly,
      Load load) {}

  /** Settings of the transports of one node. */
  @FunctionalInterface
  interface Transports {
    /** Returns the settings of this node. */
    TransportSettings of(Swarm swarm, int node);
  }

  /** The extent of the faults. */
  enum Trouble {
    /** No faults at all, and no node may suspect a fault. */
    NONE,
    /** Many faults, for a while; no call has a deadline or is given up. */
    ENDS,
    /** Many faults for a while, and a few nodes may stay lost. */
    STAYS
  }

  /** The load of the nodes. */
  enum Load {
    /** Calls, including every kind of body. */
    CALLS,
    /** Calls and streams. */
    STREAMS,
    /** Calls, broadcasts and streams. */
    ALL
  }

  private static final RouteUse ALLOWED =
      new RouteUse(SimulatedServer.UNARY.name(), CallPattern.UNARY);

  private static final List<RouteUse> DENIABLE =
      List.of(
          new RouteUse(SimulatedServer.ON_WORKER.name(), CallPattern.UNARY),
          new RouteUse(SimulatedServer.WRITE.name(), CallPattern.BULK_WRITE),
          new RouteUse(SimulatedServer.READ.name(), CallPattern.BULK_READ),
          new RouteUse(SimulatedServer.READ_UNSEALED.name(), CallPattern.BULK_READ),
          new RouteUse(StreamWork.RESPONSE.name(), CallPattern.STREAMING_RESPONSE),
          new RouteUse(StreamWork.REQUEST.name(), CallPattern.STREAMING_REQUEST),
          new RouteUse(StreamWork.BIDIRECTIONAL.name(), CallPattern.BIDIRECTIONAL),
          new RouteUse(BroadcastWork.BROADCAST.name(), CallPattern.BULK_WRITE));

  private final Variant variant;

  /** A variant. */
  DefaultScenario(Variant variant) {
    this.variant = variant;
  }

  /** The whole work of a run's nodes. */
  private record Parts(
      SimRun run,
      ClusterWork calls,
      @Nullable StreamWork streams,
      @Nullable BroadcastWork broadcasts)
      implements Program {
    @Override
    public void start(SimNode node) {
      calls.start(node);
      if (streams != null) {
        streams.serve(node);
      }
      if (broadcasts != null) {
        broadcasts.serve(node);
      }
    }

    @Override
    public void stop(SimNode node) {
      calls.stop(node);
    }

    void plan(long fromNs) {
      DefaultScenario.plan(run, calls, fromNs);
      if (streams != null) {
        streams.plan(fromNs, SPAN_NS);
      }
      if (broadcasts != null) {
        broadcasts.plan(fromNs, SPAN_NS);
      }
    }

    /** Waits for the end of everything that has an end. */
    void end(LostNodes lost) {
      long settlesNs = calls.settings().bounds().settlesNs();
      run.eventually(settlesNs, "every call comes to its end", () -> run.history().isSettled());
      calls.order().end(calls, settlesNs);
      ReconnectCheck reconnect = new ReconnectCheck(run, calls, lost);
      reconnect.run();
      if (streams != null) {
        run.eventually(settlesNs, "every stream is over at both sides", () -> streams.open() == 0);
      }
      if (broadcasts != null) {
        run.eventually(
            settlesNs, "no payload of a broadcast is held", () -> broadcasts.held() == 0);
      }
      run.awaitIdle(settlesNs);
      calls.lent().awaitBack(calls, settlesNs);
      if (lost.isNone() && run.swarm().has("silence", SILENT_PPM)) {
        new Silence(run, calls.settings()).run();
      }
      if (!lost.isNone()) {
        lost.recover();
        reconnect.run();
        run.awaitIdle(settlesNs);
      }
    }
  }

  @Override
  public void run(FullRun run) {
    Swarm swarm = run.swarm();
    int nodes = swarm.pick("nodes", 2, 3, 3, 3, 4, 5);
    NetworkSettings network = variant.network().apply(swarm);
    run.network(network);
    Function<Swarm, FabricSettings> fabric = variant.fabric();
    if (fabric != null) {
      run.fabric(fabric.apply(swarm));
    }
    NodesSettings settings = NodesSettings.of(nodes, node -> transport(swarm, node));
    boolean isCalm = variant.trouble() == Trouble.NONE;
    DeservedFailures deserved = new DeservedFailures(run, network.link(), settings, isCalm);
    Parts parts = parts(run, settings, deserved);
    CleanNetworkOracle clean = isCalm ? new CleanNetworkOracle(run.cluster()) : null;
    for (int i = 0; i < nodes; i++) {
      run.add(swarm.node(i), parts);
    }
    variant.faults().accept(new FaultSchedule(run, SPAN_NS));
    long fromNs = 0;
    if (clean != null) {
      new InitialConnects(run, parts.calls()).run();
      run.add(clean.fromNowOn());
      fromNs = run.simulation().nowNs();
    }
    parts.plan(fromNs);
    run.runUntil(fromNs + SPAN_NS);

    LostNodes lost = new LostNodes(run, variant.trouble() == Trouble.STAYS);
    lost.heal();
    parts.end(lost);
    new Closing(run, parts.calls()).run();
  }

  private TransportSettings transport(Swarm swarm, int node) {
    TransportSettings drawn = variant.transport().of(swarm, node);
    return variant.trouble() == Trouble.STAYS
        ? PlannedAccess.of(swarm, node, drawn, ALLOWED, DENIABLE)
        : drawn;
  }

  private Parts parts(SimRun run, NodesSettings settings, DeservedFailures deserved) {
    int nodes = settings.nodes();
    ClusterWork work =
        new ClusterWork(
            run,
            variant.trouble() == Trouble.STAYS
                ? CallPlans.withCallbacks(run, nodes)
                : new CallPlans(run, nodes),
            settings,
            deserved,
            variant.trouble() == Trouble.ENDS ? EarlyEnds.none() : EarlyEnds.of(run),
            variant.retriesBlindly());
    StreamWork streams =
        variant.load() != Load.CALLS
            ? new StreamWork(run, work, new StreamPlans(run, nodes), settings)
            : null;
    BroadcastWork broadcasts =
        variant.load() == Load.ALL
            ? new BroadcastWork(run, work, new BroadcastPlans(run, nodes), settings)
            : null;
    return new Parts(run, work, streams, broadcasts);
  }

  private static void plan(SimRun run, ClusterWork work, long fromNs) {
    long calls = run.swarm().spread("calls", 4, 100);
    Draws times = run.swarm().draws("call.time");
    for (long id = 0; id < calls; id++) {
      PlannedCall call = work.call(id);
      run.at(
          fromNs + times.below(id, 0, SPAN_NS),
          call + work.early().words(id),
          () -> work.make(call));
    }
  }
}
