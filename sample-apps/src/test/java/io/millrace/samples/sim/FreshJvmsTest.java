package io.millrace.samples.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.samples.process.JavaCommand;
import io.millrace.testkit.Repetitions;
import io.millrace.testkit.internal.scenario.BatchResult;
import io.millrace.testkit.internal.scenario.Scenario;
import io.millrace.testkit.internal.scenario.SeedRange;
import io.millrace.testkit.internal.scenario.SimRunner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A seed has the same hash in every JVM: whatever collects its garbage, whatever its objects have
 * for identity hashes, and however its sets were salted when it started.
 */
final class FreshJvmsTest {
  private static final List<String> COLLECTORS =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:+UseParallelGC",
          "-XX:+UseG1GC",
          "-XX:+UseZGC",
          "-XX:+UseShenandoahGC");

  /** JVMs that the commit tier starts beside the usual one. */
  private static final int OTHERS = 1;

  private static final String UNLOCK = "-XX:+UnlockExperimentalVMOptions";
  private static final String USUAL_COLLECTOR = COLLECTORS.getFirst();
  private static final Pattern LINE = Pattern.compile("(\\w+) failed 0 hash [0-9a-f]{32}");

  /** Short, with crashes, losses, bodies, streams, broadcasts and one-sided writes. */
  private static final Map<String, SeedRange> RUNS = new LinkedHashMap<>();

  static {
    RUNS.put("default", new SeedRange(1, 3));
    RUNS.put("calls", new SeedRange(1, 2));
    RUNS.put("fabric", new SeedRange(1, 2));
  }

  /** What each JVM does; a line for each scenario. */
  public static void main(String[] arguments) throws InterruptedException {
    for (Map.Entry<String, SeedRange> runs : RUNS.entrySet()) {
      Scenario scenario = Objects.requireNonNull(Scenarios.of(runs.getKey()), runs.getKey());
      BatchResult batch = new SimRunner(scenario, 1).run(runs.getValue());
      System.out.println(
          runs.getKey() + " failed " + batch.failures().size() + " hash " + batch.traceHash());
    }
  }

  private static String output(List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    process.getOutputStream().close();
    byte[] output = process.getInputStream().readAllBytes();
    process.waitFor();
    return new String(output, StandardCharsets.UTF_8);
  }

  /** Whether this JVM has it at all; not every build has all collectors. */
  private static boolean isThere(String collector) throws IOException, InterruptedException {
    return new ProcessBuilder(JavaCommand.program(), collector, "-version")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }

  private static List<String> hashes(List<String> flags) throws Exception {
    List<String> lines =
        output(SimJvm.command(flags, List.of(FreshJvmsTest.class.getName()))).lines().toList();
    List<String> scenarios =
        lines.stream().map(LINE::matcher).filter(Matcher::matches).map(m -> m.group(1)).toList();
    assertEquals(List.copyOf(RUNS.keySet()), scenarios, () -> flags + " said " + lines);
    return lines;
  }

  /**
   * Each JVM has another way to make identity hashes, also where its collector is missing. The
   * commit tier starts the usual one and two more, the soak all.
   */
  @Test
  @Timeout(600)
  void shouldHaveTheSameHashInEveryJvm() throws Exception {
    Map<String, List<String>> hashes = new LinkedHashMap<>();
    List<Integer> others = IntStream.range(1, COLLECTORS.size()).boxed().toList();
    List<Integer> chosen = Stream.concat(Stream.of(0), Repetitions.chosen(OTHERS, others)).toList();
    for (int i : chosen) {
      String collector = isThere(COLLECTORS.get(i)) ? COLLECTORS.get(i) : USUAL_COLLECTOR;
      List<String> flags = List.of(UNLOCK, collector, "-XX:hashCode=" + i);
      hashes.put(String.join(" ", flags), hashes(flags));
    }
    assertEquals(chosen.size(), hashes.size());
    assertEquals(1, hashes.values().stream().distinct().count(), hashes::toString);
  }
}
