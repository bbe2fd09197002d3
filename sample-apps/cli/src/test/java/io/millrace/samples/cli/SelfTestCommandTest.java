package io.millrace.samples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.testkit.driver.NeedsDriver;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

class SelfTestCommandTest {
  private static final String LIBRARY_PROPERTY = "millrace.fabric.library";

  @Test
  @NeedsDriver("fabric:sockets")
  void shouldCheckRealProviderAndPrintWhatToSend() {
    CommandRun run = CommandRun.of("perf", "--driver", "fabric:sockets", "--self-test");

    assertEquals(0, run.exitCode(), run.out().toString());
    JsonNode report = run.json();
    assertTrue(report.path("passed").asBoolean());
    Map<String, JsonNode> checks = new TreeMap<>();
    report.path("checks").forEach(check -> checks.put(check.path("check").asText(), check));
    checks.remove("shared memory");
    checks.forEach((name, check) -> assertEquals("ok", check.path("result").asText(), name));
    assertEquals("sockets", told(checks, "provider", "provider").asText());
    assertEquals("manual", told(checks, "provider", "data_progress").asText());
    assertTrue(told(checks, "stale key", "why").asText().startsWith("refused"));
    assertTrue(told(checks, "writes of 1 MiB", "bytes_per_s").asLong() > 0);
    assertTrue(run.out().getFirst().startsWith("check of fabric:sockets"));
    assertTrue(
        run.out().stream().anyMatch(line -> line.endsWith("data_progress: manual")),
        run.out().toString());
  }

  private static JsonNode told(Map<String, JsonNode> checks, String check, String name) {
    return Objects.requireNonNull(checks.get(check), check).path(name);
  }

  @Test
  @ResourceLock(Resources.SYSTEM_PROPERTIES)
  void shouldTellThatTheLibraryIsMissingAndTheRemedy() {
    System.setProperty(LIBRARY_PROPERTY, "/nowhere/libfabric.so.1");
    CommandRun run;
    try {
      run = CommandRun.of("perf", "--driver", "fabric:tcp", "--self-test");
    } finally {
      System.clearProperty(LIBRARY_PROPERTY);
    }

    assertEquals(1, run.exitCode());
    JsonNode library = run.json().path("checks").get(0);
    assertEquals("failed", library.path("result").asText());
    assertTrue(library.path("why").asText().startsWith("libfabric could not be loaded"));
    assertEquals("skipped", run.json().path("checks").get(1).path("result").asText());
    assertTrue(run.out().toString().contains("install libfabric"), run.out().toString());
  }

  @Test
  void shouldRefuseWrongArgumentsInOneLine() {
    CommandRun unknown = CommandRun.of("perf", "--driver", "nonesuch", "--self-test");
    assertEquals(2, unknown.exitCode());
    assertTrue(unknown.err().getFirst().contains("unknown driver 'nonesuch'"));
    CommandRun none = CommandRun.of("perf", "--self-test");
    assertEquals(2, none.exitCode());
    assertTrue(none.err().getFirst().contains("--driver NAME is missing"));
    CommandRun peer = CommandRun.of("perf", "127.0.0.1:1", "--driver", "udp", "--self-test");
    assertEquals(2, peer.exitCode());
  }
}
