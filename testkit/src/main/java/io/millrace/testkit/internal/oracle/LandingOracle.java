package io.millrace.testkit.internal.oracle;

import io.millrace.driver.CompletionHandler;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.fabric.FabricObserver;
import io.millrace.testkit.internal.fabric.WriteView;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.oracle.ShadowRegion.Phase;
import io.millrace.testkit.sim.Oracle;

/**
 * The bytes of a NIC's write land in a region whose holder may write there, within the bounds of
 * the fill and before the fill was announced. If the key became void meanwhile, the bytes land
 * while the region rests without a holder. Where settings let regions rest for less than NICs
 * repeat, another peer may hold the region by then.
 */
final class LandingOracle implements Oracle, FabricObserver {
  static final String NAME = "landing of one-sided writes";

  private final Simulation simulation;
  private final GrantedKeys granted;
  private final Coverage coverage;

  /** Watches the fabric of a cluster before the first node boots. */
  LandingOracle(FullCluster cluster, GrantedKeys granted, Coverage coverage) {
    simulation = cluster.simulation();
    this.granted = granted;
    this.coverage = coverage;
    cluster.fabrics().forEach(fabric -> fabric.observe(this));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void onLanded(WriteView write, int at, int length, long nowNs) {
    long key = granted.name(write.remoteKey());
    ShadowRegion region = granted.region(key);
    if (region == null) {
      fail(write, "under a key that nobody was given");
    } else if (region.key != key && !region.isRestLong) {
      coverage.hit(Coverage.Mark.WRITE_LANDED_FOREIGN);
    } else if (region.key != key) {
      fail(write, "in memory that was granted again: " + region);
    } else if (region.phase == Phase.VOID) {
      coverage.hit(Coverage.Mark.WRITE_LANDED_LATE);
    } else if (region.phase != Phase.GRANTED) {
      fail(write, "after its fill was announced: " + region);
    } else {
      long offset = write.remoteAddress() - region.address + at;
      if (offset < 0 || offset + length > region.authorisedBytes) {
        fail(write, length + " bytes at " + offset + " beyond its bounds: " + region);
      }
    }
  }

  @Override
  public void onEnded(WriteView write, int status, long nowNs) {
    switch (status) {
      case CompletionHandler.STATUS_OK -> coverage.hit(Coverage.Mark.WRITE_PLACED);
      case CompletionHandler.STATUS_REMOTE_ACCESS -> coverage.hit(Coverage.Mark.WRITE_KEY_UNKNOWN);
      default -> coverage.hit(Coverage.Mark.WRITE_UNANSWERED);
    }
  }

  private void fail(WriteView write, String what) {
    simulation.fail(
        NAME,
        "write "
            + write.ordinal()
            + " on link "
            + Long.toHexString(write.link())
            + " lands "
            + what,
        null);
  }
}
