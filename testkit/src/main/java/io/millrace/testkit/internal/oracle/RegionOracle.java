package io.millrace.testkit.internal.oracle;

import io.millrace.engine.TransportPool;
import io.millrace.path.region.WorkerRegions;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.internal.node.NodeObserver;
import io.millrace.testkit.sim.StepOracle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Bytes land in a region only under the key, in the fill and within the bounds given to the holder.
 * A key comes once. A revoked region rests before another peer gets the region. Nothing changes in
 * a region while an application thread reads there, unless its settings let the region rest for
 * less than NICs repeat their writes. The states of a region follow each other as an independent
 * model says ({@link RegionShadow}). By this model, the authorised bytes still to arrive add up to
 * the transport's count (W-3).
 */
public final class RegionOracle implements StepOracle, NodeObserver {
  static final String NAME = "region access";

  private final Simulation simulation;
  private final Coverage coverage;
  private final GrantedKeys granted = new GrantedKeys();
  private final long repeatedNs;
  private final List<Watched> watched = new ArrayList<>();

  /** The regions of a worker. */
  private record Watched(NodeLife life, LongSupplier countedBytes, RegionShadow shadow) {}

  /**
   * Watches the regions of a cluster before the first node boots.
   *
   * @param coverage receives the marks of regions
   */
  public RegionOracle(FullCluster cluster, Coverage coverage) {
    simulation = cluster.simulation();
    this.coverage = coverage;
    repeatedNs = cluster.hasFabric() ? cluster.fabric().settings().retry().deadAfterNs() : 0;
    cluster.observe(this);
  }

  /** The keys granted so far; always the same object. */
  GrantedKeys granted() {
    return granted;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void onPoolStarted(NodeLife life, TransportPool pool) {
    for (int worker = 0; worker < pool.settings().workers().count(); worker++) {
      WorkerRegions regions = pool.port(worker).regions();
      if (regions != null) {
        String who = Lives.text(life) + ", worker " + worker;
        RegionShadow shadow =
            new RegionShadow(
                life.clock()::nowNs,
                pool.settings().regions().quarantineNs(),
                repeatedNs,
                granted,
                coverage,
                detail -> simulation.fail(NAME, who + ": " + detail, null));
        regions.watch(shadow);
        watched.add(new Watched(life, regions::outstandingBytes, shadow));
      }
    }
  }

  @Override
  public void onStep() {
    for (int i = 0; i < watched.size(); i++) {
      Watched each = watched.get(i);
      each.shadow().compare(each.countedBytes());
    }
  }

  @Override
  public void onLifeEnded(NodeLife life) {
    watched.removeIf(each -> each.life() == life);
  }
}
