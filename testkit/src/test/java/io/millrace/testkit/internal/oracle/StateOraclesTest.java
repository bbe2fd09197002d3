package io.millrace.testkit.internal.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.config.TransportSettings;
import io.millrace.engine.NodeCensus;
import io.millrace.path.peer.WorkerCensus;
import io.millrace.protocol.region.RegionCensus;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.SimViolation;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.NetworkSettings;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rules about the state that a node keeps, broken on purpose. */
final class StateOraclesTest {
  private static final TransportSettings SETTINGS = SimTransportSettings.parse("");
  private static final long BUDGET_BYTES = SETTINGS.regions().grantBudgetBytes();

  private static NodeCensus withRegions(NodeCensus census, UnaryOperator<RegionCensus> change) {
    WorkerCensus worker = census.workers().getFirst();
    WorkerCensus changed =
        new WorkerCensus(
            worker.worker(),
            worker.paths(),
            worker.transfers(),
            worker.waiting(),
            change.apply(worker.regions()));
    return new NodeCensus(
        List.of(changed),
        census.bufferBytes(),
        census.bufferPoolBytes(),
        census.assemblyBytes(),
        census.elementBytes(),
        census.requestBytes(),
        census.inlineLeftBytes());
  }

  private static RegionCensus with(
      RegionCensus regions, RegionCensus.Sums sums, RegionCensus.Sums counted) {
    return new RegionCensus(
        regions.counts(),
        sums,
        counted,
        regions.budgetBytes(),
        regions.perHolderBytes(),
        regions.holders());
  }

  /** Returns the rule's verdict on a changed census. */
  private static String boundsViolation(UnaryOperator<NodeCensus> change) throws Exception {
    return SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            OracleNodes nodes = new OracleNodes(simulation, NetworkSettings.clean(1_000));
            BoundsOracle bounds = new BoundsOracle(nodes.cluster);
            nodes.start(bounds, SETTINGS);
            NodeCensus census = nodes.pool(0).census();
            bounds.check(nodes.cluster.node(0).life(), SETTINGS, census);
            simulation.check();
            bounds.check(nodes.cluster.node(0).life(), SETTINGS, change.apply(census));
            SimViolation violation = assertThrows(SimViolation.class, simulation::check);
            assertEquals(bounds.name(), violation.rule());
            return String.valueOf(violation.getMessage());
          }
        });
  }

  @Test
  void shouldFindMoreAuthorisedThanTheBudget() throws Exception {
    RegionCensus.Sums sums = new RegionCensus.Sums(BUDGET_BYTES + 1, 0, 0, 9);
    String text =
        boundsViolation(census -> withRegions(census, regions -> with(regions, sums, sums)));
    assertTrue(text.contains("outstanding bytes: " + (BUDGET_BYTES + 1)), text);
  }

  @Test
  void shouldFindAPeerWithTooManyRegions() throws Exception {
    long most = SETTINGS.regions().perPeerBytes();
    RegionCensus.Sums sums = new RegionCensus.Sums(0, most + 1, most + 1, 0);
    String text =
        boundsViolation(census -> withRegions(census, regions -> with(regions, sums, sums)));
    assertTrue(text.contains("regions of one peer: " + (most + 1)), text);
  }

  @Test
  void shouldFindSumsThatAreNotOfTheRegions() throws Exception {
    RegionCensus.Sums counted = new RegionCensus.Sums(10, 0, 0, 9);
    String text =
        boundsViolation(
            census -> withRegions(census, regions -> with(regions, regions.sums(), counted)));
    assertTrue(text.contains("the pool of regions says"), text);
  }

  @Test
  void shouldFindMoreInlineBytesThanTheBudget() throws Exception {
    String text =
        boundsViolation(
            census ->
                new NodeCensus(
                    census.workers(),
                    census.bufferBytes(),
                    census.bufferPoolBytes(),
                    census.assemblyBytes(),
                    census.elementBytes(),
                    census.requestBytes(),
                    -1));
    assertTrue(text.contains("inline bytes left: -1"), text);
  }

  @Test
  void shouldFindMoreBytesOfAnswersThanTheBudget() throws Exception {
    long most = SETTINGS.limits().answerBudgetBytes();
    WorkerCensus.Transfers transfers = new WorkerCensus.Transfers(0, 0, 0, 0, 0, 0, most + 1, 0);
    String text =
        boundsViolation(
            census -> {
              WorkerCensus worker = census.workers().getFirst();
              return new NodeCensus(
                  List.of(new WorkerCensus(0, 0, transfers, worker.waiting(), worker.regions())),
                  census.bufferBytes(),
                  census.bufferPoolBytes(),
                  census.assemblyBytes(),
                  census.elementBytes(),
                  census.requestBytes(),
                  census.inlineLeftBytes());
            });
    assertTrue(text.contains("bytes of answers: " + (most + 1)), text);
  }

  @Test
  void shouldFindATransportThatWasNotClosed() throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            OracleNodes nodes = new OracleNodes(simulation, NetworkSettings.clean(1_000));
            QuiescenceOracle quiescence = new QuiescenceOracle(nodes.cluster);
            nodes.start(quiescence, SETTINGS).exchange(4).awaitCalls();
            nodes.pool(0).close();
            simulation.runFor(OracleNodes.SECOND_NS);
            quiescence.onQuiescent();
            SimViolation violation = assertThrows(SimViolation.class, simulation::check);
            assertEquals(quiescence.name(), violation.rule());
            assertTrue(String.valueOf(violation.getMessage()).contains("n1#1 still has"));
            return null;
          }
        });
  }

  /**
   * Returns the remains at node 0 a while after the close of node 1, which held regions of node 0.
   */
  private static @Nullable String leftOfRegions(String quarantine) throws Exception {
    return SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            OracleNodes nodes = new OracleNodes(simulation, NetworkSettings.clean(1_000));
            QuiescenceOracle quiescence = new QuiescenceOracle(nodes.cluster);
            TransportSettings settings =
                SimTransportSettings.parse("millrace.regions.quarantine = " + quarantine);
            nodes.start(quiescence, settings).exchange(10).awaitCalls();
            nodes.pool(1).close();
            nodes.runFor(OracleNodes.SECOND_NS);
            return quiescence.unfinished();
          }
        });
  }

  @Test
  void shouldFindARegionThatDoesNotComeBack() throws Exception {
    assertNull(leftOfRegions("1 ms"));
    String text = String.valueOf(leftOfRegions("60 s"));
    assertTrue(text.startsWith("n0#1, worker 0 still has ") && text.endsWith(" rest"), text);
  }
}
