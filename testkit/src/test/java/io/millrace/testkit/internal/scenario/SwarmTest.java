package io.millrace.testkit.internal.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.config.TransportSettings;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.FabricSettings;
import java.io.ByteArrayInputStream;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

final class SwarmTest {
  private static final int MOST_PICKED = 8;
  private static final int MANY_SEEDS = 200;

  private static void inRun(long seed, Keep keep, Scenario scenario) throws Exception {
    RunResult result = new SimRunner(scenario, 1).run(RunSettings.of(seed).withKeep(keep));
    assertNull(result.violation());
  }

  @Test
  void shouldHaveManyValuesOfEachSetting() throws Exception {
    TreeSet<Long> windows = new TreeSet<>();
    TreeSet<Integer> datagrams = new TreeSet<>();
    for (long seed = 1; seed <= 60; seed++) {
      inRun(
          seed,
          Keep.ALL,
          run -> {
            TransportSettings settings = run.swarm().transport();
            windows.add(settings.transfers().windowBytes());
            datagrams.add(settings.nic().maxDatagramBytes());
            assertTrue(
                settings.regions().perPeerBytes() >= settings.regions().sizesBytes().getLast());
          });
    }
    assertTrue(windows.size() > 50, windows.toString());
    assertEquals(new TreeSet<>(List.of(1_200, 1_472, 4_000, 8_972)), datagrams);
  }

  /** A draw from a few values must not leave out the value that users have. */
  @Test
  void shouldHaveWhatIsUsualToo() throws Exception {
    int seeds = 100;
    Map<String, Set<String>> drawn = new TreeMap<>();
    Map<String, Integer> unusual = new TreeMap<>();
    for (long seed = 1; seed <= seeds; seed++) {
      inRun(
          seed,
          Keep.ALL,
          run -> {
            run.swarm().transport();
            for (VariedSetting setting : run.swarm().varied()) {
              drawn.computeIfAbsent(setting.name(), name -> new TreeSet<>()).add(setting.value());
              unusual.merge(setting.name(), 1, Integer::sum);
            }
          });
    }
    unusual.keySet().removeIf(name -> drawn.getOrDefault(name, Set.of()).size() > MOST_PICKED);
    assertTrue(unusual.size() > 20, unusual.toString());
    unusual.values().removeIf(count -> count < seeds);
    assertEquals(Map.of(), unusual);
  }

  /** A new setting is varied, or is entered above with a reason. */
  @Test
  void shouldVaryEachSettingUnlessThereIsAReason() throws Exception {
    TransportSettings usual = SimTransportSettings.parse("");
    Set<String> same = new TreeSet<>();
    forEachSetting("", usual, usual, (name, isUsual) -> same.add(name));
    int all = same.size();
    for (long seed = 1; seed <= MANY_SEEDS; seed++) {
      inRun(
          seed,
          Keep.ALL,
          run ->
              forEachSetting(
                  "",
                  run.swarm().transport(),
                  usual,
                  (name, isUsual) -> same.removeIf(each -> !isUsual && each.equals(name))));
    }
    assertEquals(new TreeSet<>(UnvariedSettings.OF_TRANSPORTS.keySet()), same);
    assertTrue(all > 50, "settings are found: " + all);
  }

  private static void forEachSetting(
      String prefix, Object settings, Object usual, BiConsumer<String, Boolean> told)
      throws ReflectiveOperationException {
    for (RecordComponent component : settings.getClass().getRecordComponents()) {
      String name = prefix + component.getName();
      Object value = component.getAccessor().invoke(settings);
      Object known = component.getAccessor().invoke(usual);
      if (value instanceof Record) {
        forEachSetting(name + ".", value, known, told);
      } else {
        told.accept(name, Objects.deepEquals(value, known));
      }
    }
  }

  @Test
  void shouldGoBackToWhatIsUsual() throws Exception {
    TransportSettings usual = SimTransportSettings.parse("");
    inRun(
        5,
        Keep.parse("s:"),
        run -> {
          TransportSettings settings = run.swarm().transport();
          assertEquals(usual.transfers(), settings.transfers());
          assertEquals(usual.regions(), settings.regions());
          assertEquals(usual.recovery(), settings.recovery());
          assertEquals(usual.crypto(), settings.crypto());
          assertEquals(usual.workers(), settings.workers());
        });
    inRun(
        5,
        Keep.parse("s:transfers.window"),
        run -> {
          TransportSettings settings = run.swarm().transport();
          assertTrue(usual.transfers().windowBytes() != settings.transfers().windowBytes());
          assertEquals(usual.regions(), settings.regions());
        });
  }

  /** Long enough for the hardware, or surely too short. */
  @Test
  void shouldLetRegionsRestForLongerThanTheFabricRepeatsOrMuchShorter() throws Exception {
    TreeSet<Long> rests = new TreeSet<>();
    int[] tooShort = new int[1];
    for (long seed = 1; seed <= 40; seed++) {
      inRun(
          seed,
          Keep.ALL,
          run -> {
            long deadAfterNs = run.swarm().fabric().retry().deadAfterNs();
            long restNs = run.swarm().fabricTransport().regions().quarantineNs();
            assertRest(restNs, deadAfterNs);
            tooShort[0] += restNs < deadAfterNs ? 1 : 0;
            assertEquals(0, run.swarm().fabricNetwork().link().delay().tailPpm());
            rests.add(restNs);
          });
    }
    assertTrue(rests.size() > 30, rests.toString());
    assertTrue(tooShort[0] > 2 && tooShort[0] < 20, tooShort[0] + " of 40 are too short");
    inRun(
        5,
        Keep.parse("s:"),
        run -> {
          assertEquals(FabricSettings.DEFAULT, run.swarm().fabric());
          assertRest(run.swarm().fabricTransport().regions().quarantineNs(), 50_000_000);
        });
  }

  private static void assertRest(long restNs, long deadAfterNs) {
    assertTrue(
        restNs >= deadAfterNs + 200_000_000 || restNs <= 15_000_000,
        restNs + " after " + deadAfterNs);
  }

  @Test
  void shouldHaveOtherSettingsAtEachNodeInHalfOfTheSeeds() throws Exception {
    int[] differ = new int[1];
    for (long seed = 1; seed <= 100; seed++) {
      inRun(
          seed,
          Keep.ALL,
          run -> {
            TransportSettings shared = run.swarm().transport();
            TransportSettings first = run.swarm().transport(0);
            TransportSettings second = run.swarm().transport(1);
            assertEquals(first.equals(shared), second.equals(shared));
            assertEquals(first.equals(second), first.equals(shared));
            assertEquals(first, run.swarm().transport(0));
            differ[0] += first.equals(second) ? 0 : 1;
          });
    }
    assertTrue(differ[0] > 35 && differ[0] < 65, differ[0] + " of 100 differ");
  }

  /**
   * A choice that a smaller run resets goes back for each node by itself, and for all nodes at
   * once.
   */
  @Test
  void shouldGoBackToWhatIsUsualForEachNode() throws Exception {
    long seed = 1;
    while (isShared(seed)) {
      seed++;
    }
    TransportSettings usual = SimTransportSettings.parse("");
    inRun(
        seed,
        Keep.parse("s:n1.transfers.window,nodes.differ"),
        run -> {
          assertEquals(usual.transfers(), run.swarm().transport(0).transfers());
          assertTrue(
              usual.transfers().windowBytes()
                  != run.swarm().transport(1).transfers().windowBytes());
          assertEquals(usual.recovery(), run.swarm().transport(1).recovery());
          long deadAfterNs = run.swarm().fabric().retry().deadAfterNs();
          for (int node = 0; node < 3; node++) {
            long restNs = run.swarm().fabricTransport(node).regions().quarantineNs();
            assertRest(restNs, deadAfterNs);
          }
        });
    inRun(
        seed,
        Keep.parse("s:transfers.window"),
        run -> assertEquals(run.swarm().transport(), run.swarm().transport(1)));
  }

  private static boolean isShared(long seed) throws Exception {
    boolean[] isShared = new boolean[1];
    inRun(
        seed,
        Keep.ALL,
        run -> isShared[0] = run.swarm().transport(0).equals(run.swarm().transport()));
    return isShared[0];
  }

  @Test
  void shouldReadACorpus() throws Exception {
    String text = "# failed once\n17\n\n 4 f:1;w:2-3  # the crash\n";
    List<RunSettings> runs =
        Corpus.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    assertEquals(List.of(17L, 4L), runs.stream().map(RunSettings::seed).toList());
    assertEquals("f:1;w:2-3", runs.getLast().keep().toString());
    assertEquals(List.of(), Corpus.read(null));
  }
}
