package io.millrace.samples.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.samples.process.JavaCommand;
import io.millrace.testkit.Repetitions;
import io.millrace.testkit.internal.scenario.RunResult;
import io.millrace.testkit.internal.scenario.RunSettings;
import io.millrace.testkit.internal.scenario.Scenario;
import io.millrace.testkit.internal.scenario.SimRunner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A seed has the same hash in every JVM: with any collector of garbage, any identity hashes of
 * objects, and any salt of sets at the start.
 */
final class FreshJvmsTest {
  private static final List<String> COLLECTORS =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:+UseParallelGC",
          "-XX:+UseG1GC",
          "-XX:+UseZGC",
          "-XX:+UseShenandoahGC");

  /**
   * The number of JVMs that the commit tier starts. The hashes of the test's own JVM are compared
   * with the hashes of these JVMs.
   */
  private static final int STARTED = 1;

  private static final String UNLOCK = "-XX:+UnlockExperimentalVMOptions";
  private static final String USUAL_COLLECTOR = COLLECTORS.getFirst();
  private static final Pattern LINE = Pattern.compile("(\\w+) [0-9a-f]{32}");

  /** With crashes, losses, bodies, streams, broadcasts and one-sided writes. */
  private static final List<String> SCENARIOS = List.of("default", "calls", "fabric");

  private static final int SEEDS = Math.min(3, Repetitions.factor());

  /** Runs the program of each JVM. */
  public static void main(String[] arguments) throws InterruptedException {
    hashes(Integer.parseInt(arguments[0])).forEach(System.out::println);
  }

  /** Returns a line for each run without a broken rule: scenario and hash. */
  private static List<String> hashes(int seeds) throws InterruptedException {
    List<String> lines = new ArrayList<>();
    for (String name : SCENARIOS) {
      Scenario scenario = Objects.requireNonNull(Scenarios.of(name), name);
      for (int seed = 1; seed <= seeds; seed++) {
        RunResult run = new SimRunner(scenario, 1).run(RunSettings.of(seed));
        lines.add(name + " " + (run.isFailed() ? "failed" : run.traceHash()));
      }
    }
    return lines;
  }

  private static String output(List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    process.getOutputStream().close();
    byte[] output = process.getInputStream().readAllBytes();
    process.waitFor();
    return new String(output, StandardCharsets.UTF_8);
  }

  /** Returns whether this JVM has the collector at all; not every build has all collectors. */
  private static boolean isThere(String collector) throws IOException, InterruptedException {
    return new ProcessBuilder(JavaCommand.program(), collector, "-version")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }

  private static List<String> hashes(List<String> flags) throws Exception {
    List<String> program = List.of(FreshJvmsTest.class.getName(), String.valueOf(SEEDS));
    return output(SimJvm.command(flags, program)).lines().toList();
  }

  /**
   * Each JVM has another way to make identity hashes, also where its collector is missing. The
   * commit tier starts a single JVM beside this JVM, the soak all.
   */
  @Test
  @Timeout(600)
  void shouldHaveTheSameHashInEveryJvm() throws Exception {
    Map<String, List<String>> hashes = new LinkedHashMap<>();
    hashes.put("this", hashes(SEEDS));
    List<Integer> all = IntStream.range(0, COLLECTORS.size()).boxed().toList();
    List<Integer> chosen = Repetitions.chosen(STARTED, all).toList();
    for (int i : chosen) {
      String collector = isThere(COLLECTORS.get(i)) ? COLLECTORS.get(i) : USUAL_COLLECTOR;
      List<String> flags = List.of(UNLOCK, collector, "-XX:hashCode=" + i);
      hashes.put(String.join(" ", flags), hashes(flags));
    }
    assertEquals(chosen.size() + 1, hashes.size());
    List<String> runs = Objects.requireNonNull(hashes.get("this"));
    assertEquals(SCENARIOS.size() * SEEDS, runs.size());
    runs.forEach(run -> assertTrue(LINE.matcher(run).matches(), run));
    assertEquals(1, hashes.values().stream().distinct().count(), hashes::toString);
  }
}
