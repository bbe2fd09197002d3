package io.millrace.samples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SimCommandTest {
  private static CommandRun sim(String... arguments) {
    return CommandRun.of(List.of(("sim " + String.join(" ", arguments)).split(" ")));
  }

  @Test
  void shouldReportRunsThatSucceed() {
    JsonNode json = sim("--scenario", "crash", "--seeds", "1..21", "--json").json();
    assertEquals(21, json.get("seeds").asInt());
    assertEquals(0, json.get("failed").asInt());
    assertEquals(1, json.get("repeated").asInt());
    assertEquals(32, json.get("trace_hash").asText().length());
    assertTrue(json.get("virtual_s").asDouble() > 21);
    assertTrue(json.get("events_per_s").asDouble() > 0);
    assertTrue(json.get("seeds_per_cpu_s").asDouble() > 0);
    assertFalse(json.has("first_failure"));
  }

  @Test
  void shouldHaveTheSameHashAgain() {
    CommandRun first = sim("--scenario", "loss", "--seeds", "1..3", "--threads", "2", "--json");
    CommandRun second = sim("--scenario", "loss", "--seeds", "1..3", "--threads", "1", "--json");
    assertEquals(ExitCode.DONE, first.exitCode());
    assertEquals(first.json().get("trace_hash"), second.json().get("trace_hash"));
  }

  @Test
  void shouldFailWithTheCommandThatFailsAgain() {
    CommandRun run = sim("--scenario", "canary", "--seed", "2320", "--json");
    assertEquals(ExitCode.FAILED, run.exitCode());
    JsonNode failure = run.json().get("first_failure");
    assertEquals("at most once", failure.get("rule").asText());
    assertEquals("millrace sim --scenario canary --seed 2320", failure.get("replay").asText());
  }

  @Test
  void shouldRunOneSeedTwice() {
    JsonNode json = sim("--scenario", "crash", "--seed", "5", "--json").json();
    assertEquals(1, json.get("seeds").asInt());
    assertEquals(1, json.get("repeated").asInt());
    assertEquals(0, json.get("failed").asInt());
  }

  @Test
  void shouldFailWhatIsKeptAndIsNotThereAndSayWhatHappenedOfTheRest() {
    String keep = "f:;w:0,90000;p:1.0.LOSS;s:no.such";
    CommandRun run = sim("--scenario", "crash", "--seed", "7", "--keep", keep, "--json");
    assertEquals(ExitCode.FAILED, run.exitCode());
    JsonNode failure = run.json().get("first_failure");
    assertEquals("keep", failure.get("rule").asText());
    String message = failure.get("message").asText();
    assertTrue(message.contains("the run has no w:90000, s:no.such any more"), message);
    assertEquals(
        "millrace sim --scenario crash --seed 7 --keep '" + keep + "'",
        failure.get("replay").asText());
    assertTrue(
        run.err().contains("0 of 1 named faults of datagrams happened"), run.err().toString());
  }

  @Test
  void shouldFindShrinkAndReplayABugOfTheTransport() {
    CommandRun found = sim("--scenario", "canary-ack", "--seeds", "43..46", "--shrink", "--json");
    assertEquals(ExitCode.FAILED, found.exitCode(), "take other seeds if their draws changed");
    assertEquals(1, found.json().get("failed").asInt());
    assertEquals("liveness", found.json().get("first_failure").get("rule").asText());
    JsonNode shrunk = found.json().get("shrunk");
    assertTrue(shrunk.get("events").size() <= 4, shrunk::toString);
    assertTrue(shrunk.get("faults").asInt() >= 1, "nothing is wrong without a loss");

    String printed = shrunk.get("replay").asText();
    assertTrue(
        printed.startsWith("millrace sim --scenario canary-ack --seed 43 --keep '"), printed);
    CommandRun again = CommandRun.of(words(printed + " --json"));
    assertEquals(ExitCode.FAILED, again.exitCode());
    JsonNode failure = again.json().get("first_failure");
    assertEquals("liveness", failure.get("rule").asText());
    assertEquals(failure.get("message"), shrunk.get("message"));
    assertEquals("liveness", shrunk.get("rule").asText());
    CommandRun third = CommandRun.of(words(printed + " --json"));
    assertEquals(again.json().get("trace_hash"), third.json().get("trace_hash"));
  }

  /** Returns the words that a shell makes of a printed command; quotes are around whole words. */
  private static List<String> words(String printed) {
    return Stream.of(printed.replace("'", "").split(" ")).skip(1).toList();
  }

  @Test
  void shouldRunWhatIsKeptAndCaptureIt(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("run.pcapng");
    CommandRun run =
        sim("--scenario", "crash", "--seed", "7", "--keep", "f:;w:0", "--pcap", file.toString());
    assertEquals(ExitCode.DONE, run.exitCode());
    assertTrue(Files.size(file) > 1_000);
  }

  @Test
  void shouldKeepThePropertiesOfTheRunInItsReplay() {
    assertEquals("", SimReport.withOptions(null));
    assertEquals("", SimReport.withOptions("-Xmx1g"));
    assertEquals("MILLRACE_JAVA_OPTS='-Dbug=1' ", SimReport.withOptions(" -Dbug=1 "));
  }
}
