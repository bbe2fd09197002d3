package io.millrace.samples.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.samples.cli.Main;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
  private static final String UNLOCK = "-XX:+UnlockExperimentalVMOptions";
  private static final Pattern HASH = Pattern.compile("\"trace_hash\":\"([0-9a-f]{32})\"");

  /** Short, with crashes, losses and bodies. */
  private static final String SEEDS = "1..3";

  private static List<String> command(List<String> flags, String... program) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String own : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (own.startsWith("-javaagent:") && own.contains("sim-agent")
          || own.startsWith("--add-exports")
          || own.startsWith("--enable-native-access")
          || own.startsWith("--sun-misc-unsafe-memory-access")) {
        command.add(own);
      }
    }
    command.addAll(List.of("-ea", "-XX:TieredStopAtLevel=1", "-Xmx256m"));
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(program));
    return command;
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
    return new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                collector,
                "-version")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }

  private static String hash(List<String> flags) throws IOException, InterruptedException {
    List<String> command =
        command(
            flags,
            Main.class.getName(),
            "sim",
            "--scenario",
            "default",
            "--seeds",
            SEEDS,
            "--threads",
            "1",
            "--json");
    String output = output(command);
    Matcher hash = HASH.matcher(output);
    assertTrue(hash.find(), () -> flags + " said " + output);
    assertTrue(output.contains("\"failed\":0"), () -> flags + " said " + output);
    return hash.group(1);
  }

  @Test
  @Timeout(300)
  void shouldHaveTheSameHashInEveryJvm() throws Exception {
    Map<String, String> hashes = new LinkedHashMap<>();
    for (int i = 0; i < COLLECTORS.size(); i++) {
      String collector = COLLECTORS.get(i);
      if (isThere(collector)) {
        List<String> flags = List.of(UNLOCK, collector, "-XX:hashCode=" + i);
        hashes.put(String.join(" ", flags), hash(flags));
      }
    }
    assertTrue(hashes.size() >= 2, "collectors that are there: " + hashes);
    assertEquals(1, hashes.values().stream().distinct().count(), hashes::toString);
  }
}
