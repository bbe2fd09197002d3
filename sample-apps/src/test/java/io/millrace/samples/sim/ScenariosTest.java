package io.millrace.samples.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.sim.junit.SimulationTest;
import io.millrace.testkit.sim.oracle.Coverage.Mark;
import io.millrace.testkit.sim.scenario.BatchResult;
import io.millrace.testkit.sim.scenario.RunResult;
import io.millrace.testkit.sim.scenario.RunSettings;
import io.millrace.testkit.sim.scenario.Scenario;
import io.millrace.testkit.sim.scenario.SeedRange;
import io.millrace.testkit.sim.scenario.Shrinker;
import io.millrace.testkit.sim.scenario.Shrunk;
import io.millrace.testkit.sim.scenario.SimRun;
import io.millrace.testkit.sim.scenario.SimRunner;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class ScenariosTest {
  /** What some of the first seeds of calls must come to; without it their rules say nothing. */
  private static final EnumSet<Mark> WANTED =
      EnumSet.of(
          Mark.REGION_GRANTED_AGAIN,
          Mark.REGION_REUSED,
          Mark.REVOKED_UNUSED,
          Mark.RECORD_WRITTEN_AGAIN,
          Mark.REGIONS_EXHAUSTED,
          Mark.WRITE_STALE,
          Mark.PEER_REPLACED,
          Mark.KEY_ROTATED,
          Mark.DUPLICATE_DROPPED,
          Mark.PACKET_NOT_AUTHENTIC,
          Mark.PACKET_LOST,
          Mark.FRAME_RETRANSMITTED,
          Mark.CHUNK_RETRANSMITTED,
          Mark.SEND_BUFFER_STALL,
          Mark.DUPLICATE_REQUEST,
          Mark.CALL_FAILED,
          Mark.BODY_SENT,
          Mark.CRASH);

  /** The same with streams, broadcasts and tokens ahead of need. */
  private static final EnumSet<Mark> WANTED_OF_ALL =
      with(
          WANTED,
          Mark.REVOKED_WRITTEN,
          Mark.REVOKED_AFTER_FILL,
          Mark.REVOKED_IDLE,
          Mark.REVOKED_UNDER_PRESSURE,
          Mark.WRITE_REVOKED,
          Mark.WRITE_FOREIGN,
          Mark.STREAM_OPENED,
          Mark.PACKET_NOT_TAKEN,
          Mark.GRANTED_AHEAD);

  /** On a fabric nothing comes twice or damaged, but writes land late. */
  private static final EnumSet<Mark> WANTED_ON_A_FABRIC =
      EnumSet.of(
          Mark.REVOKED_WRITTEN,
          Mark.REVOKED_AFTER_FILL,
          Mark.WRITE_PLACED,
          Mark.WRITE_KEY_UNKNOWN,
          Mark.WRITE_UNANSWERED,
          Mark.WRITE_LANDED_LATE,
          Mark.FILL_DISCARDED,
          Mark.REVOCATION_PAUSED,
          Mark.STREAM_OPENED,
          Mark.GRANTED_AHEAD,
          Mark.CRASH);

  private static EnumSet<Mark> with(EnumSet<Mark> some, Mark... more) {
    EnumSet<Mark> all = EnumSet.copyOf(some);
    all.addAll(List.of(more));
    return all;
  }

  private static Scenario scenario(String name) {
    return Objects.requireNonNull(Scenarios.of(name), name);
  }

  private static void run(String name, SimRun run) throws Exception {
    scenario(name).run(run);
  }

  @SimulationTest(seeds = "1..60")
  void shouldSurviveEverything(SimRun run) throws Exception {
    run("default", run);
  }

  @SimulationTest(seeds = "1..60")
  void shouldSurviveEverythingWithCallsAlone(SimRun run) throws Exception {
    run("calls", run);
  }

  @SimulationTest(seeds = "1..40")
  void shouldSurviveCrashes(SimRun run) throws Exception {
    run("crash", run);
  }

  @SimulationTest(seeds = "1..40")
  void shouldSurviveLoss(SimRun run) throws Exception {
    run("loss", run);
  }

  @SimulationTest(seeds = "1..60")
  void shouldSurviveEverythingOnAFabric(SimRun run) throws Exception {
    run("fabric", run);
  }

  @SimulationTest(seeds = "1..20")
  void shouldSendNothingTwiceOnACleanNetwork(SimRun run) throws Exception {
    run("clean", run);
  }

  @Test
  void shouldFindTheCanary() throws Exception {
    SimRunner runner = new SimRunner(scenario(Scenarios.CANARY), 2);
    BatchResult batch = runner.run(SeedRange.parse("80..100"));
    assertEquals(1, batch.failures().size());
    RunResult failure = batch.failures().getFirst();
    assertNotNull(failure.violation());
    assertEquals("at most once", failure.violation().rule());

    Shrunk shrunk = new Shrinker(scenario(Scenarios.CANARY), 60).shrink(failure);
    assertTrue(shrunk.result().happened().size() < failure.happened().size());
    RunResult replay = runner.run(RunSettings.of(failure.seed()).withKeep(shrunk.keep()));
    assertEquals(shrunk.result().traceHash(), replay.traceHash());
  }

  @Test
  void shouldComeToWhatIsRare() throws Exception {
    BatchResult batch = new SimRunner(scenario("default"), 2).run(SeedRange.parse("1..60"));
    assertEquals(List.of(), batch.coverage().missing(WANTED_OF_ALL));
  }

  @Test
  void shouldComeToWhatIsRareOnAFabric() throws Exception {
    BatchResult batch = new SimRunner(scenario("fabric"), 2).run(SeedRange.parse("1..60"));
    assertEquals(List.of(), batch.coverage().missing(WANTED_ON_A_FABRIC));
  }

  @Test
  void shouldDoWorkUnderFaultsWithCallsAlone() throws Exception {
    BatchResult batch = new SimRunner(scenario("calls"), 2).run(SeedRange.parse("1..20"));
    assertTrue(batch.totals().executions() > 100, batch.totals().toString());
    assertTrue(batch.totals().faults() > 50, batch.totals().toString());
    assertTrue(batch.totals().datagrams() > 5_000, batch.totals().toString());
    assertEquals(List.of(), batch.coverage().missing(WANTED));
  }
}
