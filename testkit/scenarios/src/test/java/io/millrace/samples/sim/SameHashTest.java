package io.millrace.samples.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.testkit.Repetitions;
import io.millrace.testkit.internal.scenario.BatchResult;
import io.millrace.testkit.internal.scenario.RunSettings;
import io.millrace.testkit.internal.scenario.Scenario;
import io.millrace.testkit.internal.scenario.SeedRange;
import io.millrace.testkit.internal.scenario.SimRunner;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A seed has the same hash beside any other run in its JVM, and after any number of earlier runs
 * there: whole nodes, with all their work.
 */
final class SameHashTest {
  private static final SeedRange SEEDS = new SeedRange(1, 2).times(Repetitions.factor());
  private static final int TIMES = Repetitions.times(2);

  private static Scenario scenario(String name) {
    return Objects.requireNonNull(Scenarios.of(name), name);
  }

  private static Map<Long, String> hashes(String name, int threads) throws InterruptedException {
    Map<Long, String> hashes = new ConcurrentSkipListMap<>();
    BatchResult batch =
        new SimRunner(scenario(name), threads)
            .onRun(run -> hashes.put(run.seed(), run.traceHash()))
            .run(SEEDS);
    assertEquals(List.of(), batch.failures());
    return hashes;
  }

  @ParameterizedTest
  @ValueSource(strings = {"default", "fabric"})
  void shouldHaveTheSameHashesOnOneThreadAndOnTwo(String name) throws InterruptedException {
    Map<Long, String> one = hashes(name, 1);
    assertEquals(SEEDS.count(), new TreeSet<>(one.values()).size(), one::toString);
    assertEquals(one, hashes(name, 2));
  }

  @ParameterizedTest
  @CsvSource({"default, 2", "fabric, 1"})
  void shouldHaveTheSameHashEachTime(String name, long seed) throws InterruptedException {
    TreeSet<String> hashes = new TreeSet<>();
    SimRunner runner = new SimRunner(scenario(name), 1);
    for (int i = 0; i < TIMES; i++) {
      hashes.add(runner.run(RunSettings.of(seed)).traceHash());
    }
    assertEquals(1, hashes.size(), hashes::toString);
  }
}
