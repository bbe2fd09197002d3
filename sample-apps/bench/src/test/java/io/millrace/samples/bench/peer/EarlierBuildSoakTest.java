package io.millrace.samples.bench.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.samples.cli.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A node of an earlier build and a node of this build understand each other, in both roles. The
 * earlier build is the folder of a built checkout that the environment variable MILLRACE_EARLIER
 * names, or the last release before this commit, or the build before the first release; of a
 * release, the test builds a clone.
 */
@Tag("soak")
@Timeout(900)
final class EarlierBuildSoakTest {
  private static final String BEFORE_THE_FIRST_RELEASE = "029c6d3e";
  private static final String EARLIER = System.getenv().getOrDefault("MILLRACE_EARLIER", "");
  private static final Path ROOT = Path.of("").toAbsolutePath().resolve("../..").normalize();
  private static final long END_SECONDS = 60;

  @TempDir private static Path shared;
  private static String earlier = "";

  @BeforeAll
  static void build() throws Exception {
    Path checkout = EARLIER.isEmpty() ? clone(shared.resolve("earlier")) : Path.of(EARLIER);
    earlier = BaselineBuild.of(checkout).classPath();
  }

  private static Path clone(Path to) throws Exception {
    String release = git("describe", "--tags", "--abbrev=0", "--match", "v*", "HEAD~1");
    String revision = release.isEmpty() ? BEFORE_THE_FIRST_RELEASE : release;
    boolean isThere = !git("cat-file", "-t", revision).isEmpty();
    assumeTrue(isThere, "SKIPPED: this clone does not have the earlier commit " + revision);
    git("clone", "-q", "--shared", ROOT.toString(), to.toString());
    git("-C", to.toString(), "checkout", "-q", revision);
    System.out.println("the earlier build is " + revision);
    return to;
  }

  /** Returns the output of a command of git; nothing after a failure. */
  private static String git(String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of("git", "-C", ROOT.toString()));
    command.addAll(List.of(words));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try (var output = process.inputReader()) {
      String text = String.join("\n", output.lines().toList());
      return process.waitFor() == 0 ? text.strip() : "";
    }
  }

  @ParameterizedTest
  @CsvSource({"tls, true", "tls, false", "psk, true", "psk, false"})
  void shouldServeAndCallTheOtherBuild(String handshake, boolean isServerOld) throws Exception {
    String own = System.getProperty("java.class.path");
    Process server =
        start(
            isServerOld ? earlier : own,
            List.of("serve", "--listen", "127.0.0.1:0", "--handshake", handshake));
    try (BufferedReader lines = server.inputReader()) {
      String address = listening(lines);
      for (String pattern :
          List.of(
              "unary",
              "streaming-response",
              "streaming-request",
              "bidirectional",
              "bulk",
              "broadcast",
              "chain")) {
        verify(isServerOld ? own : earlier, handshake, pattern, address);
      }
    } finally {
      server.destroy();
      assertTrue(server.waitFor(END_SECONDS, TimeUnit.SECONDS));
    }
  }

  private static String listening(BufferedReader lines) throws IOException {
    String line = Objects.requireNonNull(lines.readLine(), "the server has ended");
    return line.split(" ", -1)[2];
  }

  private static void verify(String classPath, String handshake, String pattern, String address)
      throws Exception {
    List<String> words = new ArrayList<>(List.of("perf", address, "--handshake", handshake));
    words.addAll(List.of("--pattern", pattern, "--duration", "1", "--warm-up", "0", "--json"));
    words.addAll(List.of("--concurrency", pattern.equals("chain") ? "1" : "4"));
    if (pattern.equals("bulk")) {
      words.addAll(List.of("--size", "1000000"));
    }
    Process process = start(classPath, words);
    List<String> output;
    try (var lines = process.inputReader()) {
      output = lines.lines().toList();
    }
    assertEquals(0, process.waitFor(), () -> pattern + ": " + output);
    JsonNode report = new ObjectMapper().readTree(output.getLast());
    assertEquals(0, report.path("errors").asLong(), () -> pattern + ": " + report);
  }

  /** The processes share a home, which holds their authority and their key. */
  private static Process start(String classPath, List<String> words) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC"));
    // An earlier build may need flags that this build has no need of.
    command.add("--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED");
    command.addAll(List.of("-Dmillrace.home=" + shared, "-cp", classPath, Main.class.getName()));
    command.addAll(words);
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }
}
