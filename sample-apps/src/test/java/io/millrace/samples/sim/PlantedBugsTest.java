package io.millrace.samples.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.samples.cli.Main;
import io.millrace.testkit.Repetitions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The simulator finds bugs: each is planted into a copy of a class of the transport, as it was
 * compiled, which a JVM of its own finds before the actual one. There the command finds the bug by
 * the rule that is meant for it, shrinks the run, and prints a command that fails again; with the
 * actual class it does not fail. All are looked for with each commit, a few are shrunk and
 * replayed.
 */
final class PlantedBugsTest {
  /** Bugs that the commit tier shrinks and replays; the soak does so with all. */
  private static final int SHRUNK = 2;

  @TempDir private Path folder;

  /** What a command said with {@code --json}. */
  private record Said(int exitCode, JsonNode json) {
    JsonNode failure() {
      return json.path("first_failure");
    }
  }

  private static Said said(int exitCode, byte[] output) throws Exception {
    List<String> lines = new String(output, StandardCharsets.UTF_8).lines().toList();
    assertTrue(!lines.isEmpty(), () -> "ended " + exitCode + " and said nothing");
    return new Said(exitCode, new ObjectMapper().readTree(lines.getLast()));
  }

  /** Runs the command in a JVM that has the classes of the folder. */
  private Said withBug(List<String> arguments) throws Exception {
    List<String> program = new ArrayList<>(List.of(Main.class.getName()));
    program.addAll(arguments);
    Path errors = folder.resolve("stderr");
    Process process =
        new ProcessBuilder(SimJvm.command(List.of("-XX:+UseSerialGC"), folder, program))
            .redirectError(errors.toFile())
            .start();
    try {
      process.getOutputStream().close();
      byte[] output = process.getInputStream().readAllBytes();
      int exitCode = process.waitFor();
      assertTrue(exitCode <= 1, () -> exitCode + ": " + text(errors));
      return said(exitCode, output);
    } finally {
      process.destroyForcibly();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static Said withoutBug(List<String> arguments) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    int exitCode = Main.run(arguments, new PrintStream(out, true), nowhere);
    return said(exitCode, out.toByteArray());
  }

  /** What a shell makes of a printed command; quotes are around whole words. */
  private static List<String> words(String printed) {
    return Stream.of((printed + " --json").replace("'", "").split(" ")).skip(1).toList();
  }

  private static void assertFound(TransportBug bug, Said said) {
    JsonNode failure = said.failure();
    assertEquals(1, said.exitCode(), () -> "not found, take other seeds: " + said.json());
    assertEquals(bug.rule(), failure.path("rule").asText(), failure::toString);
    String message = failure.path("message").asText();
    assertTrue(Pattern.compile(bug.words()).matcher(message).find(), message);
  }

  private Said hunted(TransportBug bug, String options) throws Exception {
    bug.change().write(folder);
    String hunt = "sim --scenario " + bug.scenario() + " --seeds " + bug.seeds();
    Said found = withBug(List.of((hunt + options + " --threads 1 --json").split(" ")));
    assertFound(bug, found);
    return found;
  }

  /** Those that are not shrunk, which are found there. */
  static Stream<TransportBug> others() {
    Set<TransportBug> shrunk = chosen().collect(Collectors.toSet());
    return Stream.of(TransportBug.values()).filter(bug -> !shrunk.contains(bug));
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("others")
  @Timeout(300)
  void shouldFind(TransportBug bug) throws Exception {
    hunted(bug, "");
  }

  static Stream<TransportBug> chosen() {
    return Repetitions.chosen(SHRUNK, List.of(TransportBug.values()));
  }

  @ParameterizedTest
  @MethodSource("chosen")
  @Timeout(300)
  void shouldShrinkAndReplay(TransportBug bug) throws Exception {
    Said found = hunted(bug, " --shrink");

    JsonNode shrunk = found.json().path("shrunk");
    JsonNode left = shrunk.path("events");
    assertTrue(left.size() <= bug.mostLeft(), () -> left.size() + " left: " + left);
    String replay = shrunk.path("replay").asText();
    String seed = found.failure().path("seed").asText();
    String start = "millrace sim --scenario " + bug.scenario() + " --seed " + seed + " --keep '";
    assertTrue(replay.startsWith(start), replay);
    System.out.println(bug + ": seed " + seed + ", " + left.size() + " left: " + left);

    assertFound(bug, withBug(words(replay)));
    Said right = withoutBug(words(replay));
    assertEquals(0, right.exitCode(), () -> right.json().toString());
  }

  /** What docs/simulation.md says of each bug is what is asked for here. */
  @Test
  void shouldBeDocumentedAsTheyAreFound() throws IOException {
    String document = Files.readString(Path.of("..", "docs", "simulation.md"));
    for (TransportBug bug : TransportBug.values()) {
      String row =
          " | `%s` | `%s` %s | %d |"
              .formatted(bug.rule(), bug.scenario(), bug.seeds(), bug.mostLeft());
      assertTrue(document.contains(row), row);
    }
  }

  @Test
  void shouldSayThatAChangeHasNoPlaceAnyMore() {
    CodeChange call =
        CodeChange.withoutCall("io.millrace.actor.region.PathRegions", "close", "noSuchMethod");
    CodeChange method =
        CodeChange.withoutCall(
            "io.millrace.actor.region.PathRegions", "noMethod", "onHolderClosed");
    for (CodeChange change : List.of(call, method)) {
      Exception failure = assertThrows(IllegalStateException.class, () -> change.write(folder));
      String message = String.valueOf(failure.getMessage());
      assertTrue(message.contains("PathRegions." + change.method() + " has 0 places"), message);
    }
  }
}
