package io.millrace.samples.sim;

import io.millrace.config.TransportSettings;
import io.millrace.testkit.sim.core.Draws;
import io.millrace.testkit.sim.net.NetworkSettings;
import io.millrace.testkit.sim.scenario.FaultSchedule;
import io.millrace.testkit.sim.scenario.Scenario;
import io.millrace.testkit.sim.scenario.SimRun;
import io.millrace.testkit.sim.scenario.Swarm;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A few nodes call each other in every way that the API has, while everything that may go wrong
 * does. First nothing wrong may happen (safety); then all faults end, every call must come to its
 * end and every node must reach every other one (liveness); then all is closed and nothing may be
 * left (quiescence).
 */
final class DefaultScenario implements Scenario {
  private static final long SPAN_NS = 1_000_000_000;
  private static final long SETTLE_WITHIN_NS = 30_000_000_000L;

  private final Function<Swarm, NetworkSettings> network;
  private final Function<Swarm, TransportSettings> transport;
  private final Consumer<FaultSchedule> faults;

  /**
   * A variant.
   *
   * @param network what the network is like
   * @param transport what the transports are like
   * @param faults which kinds of faults there are
   */
  DefaultScenario(
      Function<Swarm, NetworkSettings> network,
      Function<Swarm, TransportSettings> transport,
      Consumer<FaultSchedule> faults) {
    this.network = network;
    this.transport = transport;
    this.faults = faults;
  }

  @Override
  public void run(SimRun run) {
    Swarm swarm = run.swarm();
    int nodes = swarm.pick("nodes", 2, 3, 3, 3, 4, 5);
    run.network(network.apply(swarm));
    ClusterWork work =
        new ClusterWork(run, new CallPlans(run, nodes, true), transport.apply(swarm));
    for (int i = 0; i < nodes; i++) {
      run.add(swarm.node(i), work::start);
    }
    faults.accept(new FaultSchedule(run, SPAN_NS));
    plan(run, work);
    run.runUntil(SPAN_NS);

    run.heal();
    run.eventually(
        SETTLE_WITHIN_NS,
        "every call comes to its end",
        () -> run.simulation().nowNs() > SPAN_NS && run.history().isSettled());
    new Reunion(run, work).run();

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
