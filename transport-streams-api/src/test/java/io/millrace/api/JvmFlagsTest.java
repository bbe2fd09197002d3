package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.config.TransportSettings;
import io.millrace.wire.RouteId;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The output of a JVM started without any flag, and with the flags of {@code millrace.args}. */
@Timeout(60)
class JvmFlagsTest {
  private static final List<String> ANSWERS = List.of("answered by udp", "answered by udp-nio");

  /** The warnings that the page on operations names. */
  private static final List<String> WARNINGS =
      List.of(
          "WARNING: A restricted method in java.lang.foreign.",
          "WARNING: java.lang.foreign.",
          "WARNING: Use --enable-native-access=ALL-UNNAMED",
          "WARNING: Restricted methods will be blocked",
          "WARNING: A terminally deprecated method in sun.misc.Unsafe",
          "WARNING: sun.misc.Unsafe::objectFieldOffset has been called by org.apache.pekko.",
          "WARNING: Please consider reporting this to the maintainers of class org.apache.pekko.",
          "WARNING: sun.misc.Unsafe::objectFieldOffset will be removed");

  /** A program with a call between two nodes, by each driver over sockets. */
  static final class Program {
    private static final RouteId ECHO = RouteId.of("echo");

    private Program() {}

    public static void main(String[] args) throws Exception {
      for (String driver : List.of("udp", "udp-nio")) {
        TransportSettings settings = TwoNodes.settings("millrace.nic.driver = " + driver);
        try (Transport server = Transport.start(settings);
            Transport client = Transport.start(settings)) {
          Raw.serve(
              server,
              ECHO,
              call -> CompletableFuture.completedFuture(UnaryResponse.of(new byte[2])));
          Peer peer = client.peer(server.address());
          Raw.unary(peer, ECHO, new byte[1]).get(30, TimeUnit.SECONDS);
          System.out.println("answered by " + driver);
        }
      }
    }
  }

  @Test
  void shouldRunWithoutAnyFlag() throws Exception {
    List<String> lines = run(List.of());
    assertEquals(ANSWERS, lines.stream().filter(line -> line.startsWith("answered")).toList());
    assertEquals(
        List.of(),
        lines.stream()
            .filter(line -> !ANSWERS.contains(line))
            .filter(line -> WARNINGS.stream().noneMatch(line::startsWith))
            .toList());
    assertTrue(lines.stream().anyMatch(line -> line.startsWith(WARNINGS.getFirst())));
  }

  @Test
  void shouldRunWithoutAWarningByTheFileOfFlags(@TempDir Path folder) throws Exception {
    Path flags = folder.resolve("millrace.args");
    try (InputStream file = TransportSettings.class.getResourceAsStream("/millrace.args")) {
      Files.copy(Objects.requireNonNull(file), flags);
    }
    assertEquals(ANSWERS, run(List.of("@" + flags)));
  }

  @Test
  void shouldNameTheFlagWhereTheJvmDeniesNativeMemory() throws Exception {
    List<String> lines = run(List.of("--illegal-native-access=deny"));
    assertEquals(
        "Exception in thread \"main\" io.millrace.node.TransportException: this JVM denies Millrace"
            + " the access to native memory; the flag that permits the access is"
            + " --enable-native-access=ALL-UNNAMED",
        lines.getFirst());
    assertTrue(lines.stream().noneMatch(line -> line.startsWith("answered")), lines::toString);
  }

  /** Returns the lines printed by the program and by its JVM. */
  private static List<String> run(List<String> flags) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Program.class.getName()));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeAll(List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS"));
    Process process = builder.start();
    try (var output = process.inputReader()) {
      return output
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("SLF4J(W)")) // no logger is bound
          .toList();
    } finally {
      process.destroyForcibly();
    }
  }
}
