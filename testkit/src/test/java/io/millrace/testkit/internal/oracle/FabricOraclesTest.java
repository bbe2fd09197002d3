package io.millrace.testkit.internal.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.config.TransportSettings;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.SimViolation;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.fabric.FabricObserver;
import io.millrace.testkit.internal.fabric.WriteView;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.internal.oracle.Coverage.Mark;
import io.millrace.testkit.internal.oracle.ShadowRegion.Phase;
import io.millrace.testkit.sim.FabricSettings;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.RateSettings;
import io.millrace.testkit.sim.RetrySettings;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rules about one-sided writes, kept by the engine and broken on purpose. */
final class FabricOraclesTest {
  private static final long DELAY_NS = 10_000;
  private static final long KEY = 77;
  private static final long BASE = 1L << 40;

  /** A write of 100 bytes to the beginning of a region. */
  private record Write(long remoteKey) implements WriteView {
    @Override
    public long link() {
      return 1;
    }

    @Override
    public int node() {
      return 0;
    }

    @Override
    public long ordinal() {
      return 3;
    }

    @Override
    public long remoteAddress() {
      return BASE;
    }

    @Override
    public int length() {
      return 100;
    }

    @Override
    public MemorySegment source() {
      return MemorySegment.ofArray(new byte[100]);
    }
  }

  private static ShadowRegion region(Phase phase, long key, int authorisedBytes) {
    return region(phase, key, authorisedBytes, true);
  }

  private static ShadowRegion region(
      Phase phase, long key, int authorisedBytes, boolean isRestLong) {
    ShadowRegion region = new ShadowRegion(isRestLong);
    region.phase = phase;
    region.key = key;
    region.address = BASE;
    region.authorisedBytes = authorisedBytes;
    return region;
  }

  /**
   * Returns the rule's verdict on 100 bytes that land at {@code at}; null if the bytes are right.
   */
  private static @Nullable String landing(@Nullable ShadowRegion region, int at) throws Exception {
    return SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            OracleNodes nodes =
                new OracleNodes(
                    simulation, NetworkSettings.clean(DELAY_NS), FabricSettings.DEFAULT);
            GrantedKeys granted = new GrantedKeys();
            if (region != null) {
              granted.add(KEY, KEY, region);
            }
            new LandingOracle(nodes.cluster, granted, new Coverage())
                .onLanded(new Write(KEY), at, 100, 0);
            SimViolation violation = simulation.violation();
            return violation == null ? null : violation.getMessage();
          }
        });
  }

  private static void assertFound(String words, @Nullable ShadowRegion region, int at)
      throws Exception {
    String found = String.valueOf(landing(region, at));
    assertTrue(found.contains(LandingOracle.NAME) && found.contains(words), found);
  }

  @Test
  void shouldLetBytesLandWhereTheyMay() throws Exception {
    assertNull(landing(region(Phase.GRANTED, KEY, 100), 0));
    assertNull(landing(region(Phase.GRANTED, KEY, 200), 100));
    assertNull(landing(region(Phase.VOID, KEY, 0), 0));
  }

  @Test
  void shouldNotWonderAtForeignBytesInMemoryThatRestsTooShort() throws Exception {
    assertNull(landing(region(Phase.GRANTED, KEY + 1, 100, false), 0));
    assertNull(landing(region(Phase.READING, KEY + 1, 100, false), 0));
    assertFound("announced", region(Phase.READING, KEY, 100, false), 0);
    assertFound("beyond its bounds", region(Phase.GRANTED, KEY, 199, false), 100);
  }

  @Test
  void shouldFindBytesThatLandWhereTheyMustNot() throws Exception {
    assertFound("nobody was given", null, 0);
    assertFound("granted again", region(Phase.GRANTED, KEY + 1, 100), 0);
    assertFound("granted again", region(Phase.VOID, KEY + 1, 100), 0);
    assertFound("beyond its bounds", region(Phase.GRANTED, KEY, 199), 100);
    for (Phase phase : List.of(Phase.WRITTEN, Phase.READING, Phase.READING_VOID, Phase.TAKEN_OUT)) {
      assertFound("after its fill was announced", region(phase, KEY, 100), 0);
    }
  }

  /** The rule is told of the first write twice, so that one of these two writes never ends. */
  @Test
  void shouldFindAnAnnouncementBeforeTheLastWriteEnded() throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            OracleNodes nodes =
                new OracleNodes(
                    simulation, NetworkSettings.clean(DELAY_NS), FabricSettings.DEFAULT);
            RegionOracle regions = new RegionOracle(nodes.cluster, new Coverage());
            AnnouncementOracle rule = new AnnouncementOracle(nodes.cluster, regions.granted());
            boolean[] isPlanted = new boolean[1];
            nodes
                .cluster
                .fabric()
                .observe(
                    new FabricObserver() {
                      @Override
                      public void onPosted(WriteView write, long nowNs) {
                        if (!isPlanted[0]) {
                          isPlanted[0] = true;
                          rule.onPosted(write, nowNs);
                        }
                      }
                    });
            nodes.start(rule, SimTransportSettings.parse(""));
            nodes.call(0, 1, 300_000);
            SimViolation violation =
                assertThrows(SimViolation.class, () -> nodes.runFor(OracleNodes.SECOND_NS));
            assertEquals(AnnouncementOracle.NAME, violation.rule());
            String found = String.valueOf(violation.getMessage());
            assertTrue(found.contains("1 writes of it are under way"), found);
            return null;
          }
        });
  }

  private static void run(long seed, Coverage coverage) throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(seed)) {
            LinkSettings link =
                LinkSettings.clean(DELAY_NS)
                    .withRate(RateSettings.of(20_000_000, Integer.MAX_VALUE));
            FabricSettings fabric =
                FabricSettings.DEFAULT.withRetry(new RetrySettings(20_000, 20_000_000, 10_000, 10));
            OracleNodes nodes =
                new OracleNodes(simulation, NetworkSettings.clean(DELAY_NS).withLink(link), fabric);
            TransportSettings settings =
                SimTransportSettings.parse(
                    "millrace.regions { sizes = [64 KiB], counts = [2], idle-revoke = 1 ms,"
                        + " quarantine = 100 ms }");
            nodes.start(Oracles.standard(nodes.cluster, coverage), settings).exchange(20);
            nodes.runFor(15_000_000);
            nodes.cluster.network().cut(0, 1);
            nodes.runFor(60_000_000);
            nodes.cluster.network().heal(0, 1);
            nodes.awaitCalls();
            nodes.finish();
            return null;
          }
        });
  }

  @Test
  void shouldHoldForEverySeedAndGoWhereItMatters() throws Exception {
    Coverage coverage = new Coverage();
    // A peer hears at once of a path that a side gave up, so a run ends its transfers early.
    for (long seed = 1; seed <= 24; seed++) {
      run(seed, coverage);
    }
    assertTrue(coverage.hits(Mark.WRITE_PLACED) > 500, coverage::toString);
    assertEquals(
        List.of(),
        coverage.missing(
            EnumSet.of(
                Mark.WRITE_UNANSWERED,
                Mark.REGION_GRANTED_AGAIN,
                Mark.REGION_REUSED,
                Mark.BODY_SENT)),
        coverage::toString);
  }
}
