package io.millrace.samples.sim;

import io.millrace.config.TransportSettings;
import io.millrace.testkit.sim.core.Draws;
import io.millrace.testkit.sim.fabric.FabricSettings;
import io.millrace.testkit.sim.net.NetworkSettings;
import io.millrace.testkit.sim.scenario.FaultSchedule;
import io.millrace.testkit.sim.scenario.Scenario;
import io.millrace.testkit.sim.scenario.SimRun;
import io.millrace.testkit.sim.scenario.Swarm;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A few nodes call each other in every way that the API has, while everything that may go wrong
 * does. First nothing wrong may happen (safety); then all faults end, every call must come to its
 * end and every node must reach every other one (liveness); then all is closed and nothing may be
 * left (quiescence).
 */
final class DefaultScenario implements Scenario {
  private static final long SPAN_NS = 1_000_000_000;
  private static final long SETTLE_WITHIN_NS = 30_000_000_000L;

  /**
   * What the variants differ in.
   *
   * @param network what the network is like
   * @param fabric what the fabric is like over which the workers send; null for datagrams
   * @param transport what the transports are like
   * @param faults which kinds of faults there are
   * @param isClean nothing at all goes wrong, and nobody may think so
   * @param retriesBlindly the application makes calls again that may have been executed
   * @param hasStreams there are streams beside the calls
   */
  record Variant(
      Function<Swarm, NetworkSettings> network,
      @Nullable Function<Swarm, FabricSettings> fabric,
      Function<Swarm, TransportSettings> transport,
      Consumer<FaultSchedule> faults,
      boolean isClean,
      boolean retriesBlindly,
      boolean hasStreams) {}

  private final Variant variant;

  /** A variant. */
  DefaultScenario(Variant variant) {
    this.variant = variant;
  }

  @Override
  public void run(SimRun run) {
    Swarm swarm = run.swarm();
    int nodes = swarm.pick("nodes", 2, 3, 3, 3, 4, 5);
    NetworkSettings network = variant.network().apply(swarm);
    run.network(network);
    Function<Swarm, FabricSettings> fabric = variant.fabric();
    if (fabric != null) {
      run.fabric(fabric.apply(swarm));
    }
    TransportSettings settings = variant.transport().apply(swarm);
    ClusterWork work =
        new ClusterWork(
            run,
            new CallPlans(run, nodes),
            settings,
            new DeservedFailures(run, network.link()),
            variant.retriesBlindly());
    StreamWork streams =
        variant.hasStreams()
            ? new StreamWork(run, work, new StreamPlans(run, nodes), settings)
            : null;
    for (int i = 0; i < nodes; i++) {
      run.add(
          swarm.node(i),
          node -> {
            work.start(node);
            if (streams != null) {
              streams.serve(node);
            }
          });
    }
    variant.faults().accept(new FaultSchedule(run, SPAN_NS));
    plan(run, work);
    if (streams != null) {
      streams.plan(SPAN_NS);
    }
    run.runUntil(SPAN_NS);

    if (variant.isClean()) {
      run.add(new CleanNetwork(run, work));
    }
    run.heal();
    run.eventually(
        SETTLE_WITHIN_NS,
        "every call comes to its end",
        () -> run.simulation().nowNs() > SPAN_NS && run.history().isSettled());
    new Reunion(run, work).run();
    run.awaitIdle(SETTLE_WITHIN_NS);
    if (streams != null) {
      run.eventually(
          SETTLE_WITHIN_NS, "every stream is over at both sides", () -> streams.open() == 0);
    }

    new Closing(run, work).run();
  }

  private static void plan(SimRun run, ClusterWork work) {
    long calls = run.swarm().spread("calls", 4, 100);
    Draws times = run.swarm().draws("call.time");
    for (long id = 0; id < calls; id++) {
      PlannedCall call = work.call(id);
      run.at(times.below(id, 0, SPAN_NS), call.toString(), () -> work.make(call));
    }
  }
}
