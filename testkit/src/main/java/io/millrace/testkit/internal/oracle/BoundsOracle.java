package io.millrace.testkit.internal.oracle;

import io.millrace.config.TransportSettings;
import io.millrace.engine.NodeCensus;
import io.millrace.engine.TransportPool;
import io.millrace.path.peer.WorkerCensus;
import io.millrace.path.region.WorkerRegions;
import io.millrace.protocol.region.RegionCensus;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.internal.node.NodeObserver;
import java.util.ArrayList;
import java.util.List;

/**
 * The memory and bytes that a node keeps for peers stay within its settings, and the node's sums
 * equal the sums of the parts: bytes that peers may write now, regions of a peer, answers, buffers
 * and inline bytes. The oracle checks the writable bytes after each event, the rest after every
 * {@value #STEPS}th event.
 */
public final class BoundsOracle extends PoolOracle implements NodeObserver {
  private static final String NAME = "memory within bounds";
  private static final int STEPS = 64;

  private final List<Watched> watched = new ArrayList<>();

  /**
   * The regions of a worker, and the most bytes of these regions that peers may write at a time.
   */
  private record Watched(NodeLife life, WorkerRegions regions, long budgetBytes) {}

  /** Watches the transports of a cluster before the first node boots. */
  public BoundsOracle(FullCluster cluster) {
    super(cluster, STEPS);
    cluster.observe(this);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void onStep() {
    super.onStep();
    for (int i = 0; i < watched.size(); i++) {
      Watched each = watched.get(i);
      long bytes = each.regions().outstandingBytes();
      require(each.life(), "outstanding bytes", bytes, each.budgetBytes());
    }
  }

  @Override
  public void onHealed() {
    checkAll();
  }

  @Override
  public void onPoolStarted(NodeLife life, TransportPool pool) {
    long budgetBytes = pool.settings().regions().grantBudgetBytes();
    for (int worker = 0; worker < pool.settings().workers().count(); worker++) {
      WorkerRegions regions = pool.port(worker).regions();
      if (regions != null) {
        watched.add(new Watched(life, regions, budgetBytes));
      }
    }
  }

  @Override
  public void onLifeEnded(NodeLife life) {
    watched.removeIf(each -> each.life() == life);
  }

  @Override
  void check(NodeLife life, TransportPool pool) {
    check(life, pool.settings(), pool.census());
  }

  /** Holds a census against the settings. */
  void check(NodeLife life, TransportSettings settings, NodeCensus census) {
    require(life, "bytes of buffers", census.bufferBytes(), census.bufferPoolBytes());
    require(life, "assembly bytes", census.assemblyBytes(), settings.transfers().assemblyBytes());
    require(life, "bytes of elements", census.elementBytes(), settings.streams().budgetBytes());
    require(
        life,
        "bytes of requests",
        census.requestBytes(),
        settings.limits().waiting().requestBudgetBytes());
    long budgetBytes = settings.limits().inlineBudgetBytes();
    require(life, "inline bytes left", census.inlineLeftBytes(), budgetBytes);
    long inlineBytes = 0;
    long answerBytes = 0;
    long served = 0;
    for (WorkerCensus worker : census.workers()) {
      inlineBytes += worker.transfers().inlineBytes();
      answerBytes += worker.transfers().answerBytes();
      served += worker.transfers().served();
      checkRegions(life, worker.regions());
    }
    require(life, "inline bytes", inlineBytes, Math.max(0, budgetBytes - census.inlineLeftBytes()));
    require(life, "bytes of answers", answerBytes, mostAnswerBytes(settings, served));
  }

  /**
   * The engine checks the budget when it takes a call: answers of calls in execution come on top.
   */
  private static long mostAnswerBytes(TransportSettings settings, long served) {
    return settings.limits().answerBudgetBytes() + served * settings.transfers().messageBytes();
  }

  private void checkRegions(NodeLife life, RegionCensus regions) {
    RegionCensus.Sums sums = regions.sums();
    RegionCensus.Sums counted = regions.counted();
    require(life, "outstanding bytes", sums.outstandingBytes(), regions.budgetBytes());
    require(life, "regions of one peer", counted.largestHolderBytes(), regions.perHolderBytes());
    if (!sums.equals(counted)) {
      fail(life, "the pool of regions says " + sums + ", its regions say " + counted);
    }
  }

  private void require(NodeLife life, String what, long value, long most) {
    if (value < 0 || value > most) {
      fail(life, what + ": " + value + " is not within 0 to " + most);
    }
  }
}
