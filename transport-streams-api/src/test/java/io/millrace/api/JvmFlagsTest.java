package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.config.TransportSettings;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The output of a JVM started without the flags, and with the flags of {@code millrace.args}. */
@Timeout(60)
class JvmFlagsTest {
  /** A program that starts a node, as an application does. */
  static final class Program {
    private Program() {}

    public static void main(String[] args) {
      TransportSettings settings = TransportSettings.defaults().withPsk("5a".repeat(32));
      try (Transport transport = Transport.start(settings)) {
        System.out.println("started " + transport.address());
      }
    }
  }

  @Test
  void shouldNameTheFlagThatIsMissing() throws Exception {
    List<String> lines = run();
    assertEquals(
        "Exception in thread \"main\" io.millrace.node.TransportException: Millrace needs a"
            + " flag of the JVM: --add-exports java.base/jdk.internal.misc=ALL-UNNAMED (the file"
            + " millrace.args in the jar of transport-actors holds all flags)",
        lines.getFirst());
    assertTrue(lines.stream().noneMatch(line -> line.contains("Error")), lines::toString);
  }

  @Test
  void shouldStartWithoutAWarningByTheFileOfFlags(@TempDir Path folder) throws Exception {
    Path flags = folder.resolve("millrace.args");
    try (InputStream file = TransportSettings.class.getResourceAsStream("/millrace.args")) {
      Files.copy(Objects.requireNonNull(file), flags);
    }
    List<String> lines = run("@" + flags);
    assertTrue(lines.stream().anyMatch(line -> line.startsWith("started ")), lines::toString);
    assertTrue(lines.stream().noneMatch(line -> line.contains("WARNING")), lines::toString);
  }

  /** Returns all lines printed by the program. */
  private static List<String> run(String... flags) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of(flags));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Program.class.getName()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (var output = process.inputReader()) {
      return output.lines().toList();
    } finally {
      process.destroyForcibly();
    }
  }
}
