package io.millrace.samples.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.samples.cli.Main;
import io.millrace.testkit.Repetitions;
import io.millrace.testkit.internal.scenario.SeedRange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The simulator finds bugs. Each bug is planted into a compiled class of the transport. A JVM has
 * this class in place of the real class for the time of a command. There the command finds the bug
 * by the rule meant for the bug, shrinks the run, and prints a command that fails again. With the
 * real class the command does not fail. Each commit looks for all bugs, and shrinks and replays two
 * runs.
 */
final class PlantedBugsTest {
  /**
   * Bugs that the commit tier shrinks and replays, the same bugs in every commit; the soak does so
   * with all bugs. Shrinking leaves nothing of the first bug's run, and a single setting of the
   * other's.
   */
  private static final List<TransportBug> SHRUNK =
      List.of(TransportBug.LOUD_ANSWERS, TransportBug.SKIPPED_KEY);

  @TempDir private static Path shared;
  private static Process usual;

  @TempDir private Path folder;

  @BeforeAll
  static void startJvm() throws IOException {
    usual = planting();
  }

  private static Process planting() throws IOException {
    List<String> flags = List.of("-XX:+UseSerialGC", "-javaagent:" + PlantingMain.agent(shared));
    return new ProcessBuilder(SimJvm.command(flags, List.of(PlantingMain.class.getName())))
        .redirectError(ProcessBuilder.Redirect.appendTo(shared.resolve("stderr").toFile()))
        .start();
  }

  @AfterAll
  static void endJvm() {
    usual.destroyForcibly();
  }

  /** The output of a command with {@code --json}. */
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

  /** Runs the command with the bug. */
  private Said withBug(TransportBug bug, List<String> arguments) throws Exception {
    CodeChange change = bug.change();
    PlantingMain.Order order =
        new PlantingMain.Order(change.type(), change.write(folder).toString(), arguments);
    if (!change.isOfInitializer()) {
      return said(usual, order);
    }
    Process own = planting();
    try {
      return said(own, order);
    } finally {
      own.destroyForcibly();
    }
  }

  private static Said said(Process planting, PlantingMain.Order order) throws Exception {
    String line = new ObjectMapper().writeValueAsString(order);
    planting.outputWriter().append(line).append('\n').flush();
    String answer = planting.inputReader().readLine();
    assertNotNull(answer, () -> "it died: " + text(shared.resolve("stderr")));
    String[] parts = answer.split("\t", 2);
    int exitCode = Integer.parseInt(parts[0]);
    assertTrue(exitCode <= 1, () -> exitCode + ": " + text(shared.resolve("stderr")));
    return said(exitCode, parts[1].getBytes(StandardCharsets.UTF_8));
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

  /** Returns the words that a shell makes of a printed command; quotes are around whole words. */
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

  /** Tries seed after seed until a seed fails. */
  private Said hunted(TransportBug bug, String options) throws Exception {
    SeedRange seeds = SeedRange.parse(bug.seeds());
    long seed = seeds.first();
    Said said = hunted(bug, seed, options);
    while (said.exitCode() == 0 && seed < seeds.last()) {
      seed++;
      said = hunted(bug, seed, options);
    }
    assertFound(bug, said);
    return said;
  }

  private Said hunted(TransportBug bug, long seed, String options) throws Exception {
    String hunt = "sim --scenario %s --seeds %d..%d".formatted(bug.scenario(), seed, seed);
    return withBug(bug, List.of((hunt + options + " --threads 1 --json").split(" ")));
  }

  /** Returns the bugs that are found without shrinking. */
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
    return Repetitions.factor() > 1 ? Stream.of(TransportBug.values()) : SHRUNK.stream();
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

    assertFound(bug, withBug(bug, words(replay)));
    Said right = withoutBug(words(replay));
    assertEquals(0, right.exitCode(), () -> right.json().toString());
  }

  /** The rows of docs/simulation.md must agree with the bugs here. */
  @Test
  void shouldBeDocumentedAsTheyAreFound() throws IOException {
    String document = Files.readString(Path.of("..", "..", "docs", "simulation.md"));
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
        CodeChange.withoutCall("io.millrace.path.region.PathRegions", "close", "noSuchMethod");
    CodeChange method =
        CodeChange.withoutCall("io.millrace.path.region.PathRegions", "noMethod", "onHolderClosed");
    for (CodeChange change : List.of(call, method)) {
      Exception failure = assertThrows(IllegalStateException.class, () -> change.write(folder));
      String message = String.valueOf(failure.getMessage());
      assertTrue(message.contains("PathRegions." + change.method() + " has 0 places"), message);
    }
  }
}
