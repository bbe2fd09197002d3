package io.millrace.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.config.RegionSettings;
import io.millrace.config.TransportSettings;
import io.millrace.path.region.WorkerRegions;
import io.millrace.protocol.congestion.ReceiveBudget;
import io.millrace.protocol.region.RegionState;
import io.millrace.protocol.schedule.TimingWheel;
import io.millrace.worker.FakeRemoteMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.typed.PostStop;
import org.junit.jupiter.api.Test;

/**
 * The owner of a worker's regions reports the contents of the regions, and ends the regions with
 * itself.
 */
class RegionPoolActorTest {
  private static final int REGIONS = 7;
  private static final RegionSettings SETTINGS =
      TransportSettings.parse(
              "millrace.handshake.provider = psk, millrace.handshake.psk = "
                  + "\"00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff\"\n"
                  + "millrace.regions { sizes = [64 KiB, 256 KiB], counts = [4, 3] }")
          .regions();

  private final FakeRemoteMemory remote = new FakeRemoteMemory();
  private final List<String> degraded = new ArrayList<>();
  private final WorkerRegions regions =
      new WorkerRegions(
          SETTINGS,
          new ReceiveBudget(0, 0),
          new TimingWheel(1 << 19, 512, 0),
          List.of(remote),
          memory -> {},
          1,
          degraded::add);
  private final BehaviorTestKit<RegionPoolActor.Command> actor =
      BehaviorTestKit.create(RegionPoolActor.create(3, regions));

  @Test
  void shouldTellWhatTheRegionsHold() {
    CompletableFuture<RegionPoolCensus> answer = new CompletableFuture<>();

    actor.run(new RegionPoolActor.Command.TakeCensus(answer));

    RegionPoolCensus census = answer.resultNow();
    assertEquals(3, census.worker());
    assertEquals(REGIONS, census.regions().count(RegionState.FREE));
    assertEquals(0, census.regions().sums().grantedBytes());
    assertEquals(SETTINGS.grantBudgetBytes(), census.regions().budgetBytes());
    assertTrue(actor.isAlive());
  }

  @Test
  void shouldEndEveryRegistrationWithItself() {
    assertEquals(REGIONS, remote.live());

    actor.signal(PostStop.instance());

    assertEquals(0, remote.live());
    assertEquals(List.of(), degraded);
  }

  @Test
  void shouldEndTheOthersAndSaySoWhenOneCannotBeEnded() {
    remote.refuseToEnd(2);

    actor.signal(PostStop.instance());

    assertEquals(1, remote.live());
    assertEquals(1, degraded.size());
    assertTrue(degraded.getFirst().contains("registration 2"), degraded.getFirst());
  }

  @Test
  void shouldNotEndThemBeforeItStops() {
    actor.run(new RegionPoolActor.Command.TakeCensus(new CompletableFuture<>()));
    regions.onTurn(1);

    assertEquals(REGIONS, remote.live());
    assertFalse(actor.hasEffects());
  }
}
