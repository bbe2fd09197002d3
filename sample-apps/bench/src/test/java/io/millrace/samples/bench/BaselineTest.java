package io.millrace.samples.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.samples.bench.peer.BaselineBuild;
import io.millrace.samples.bench.peer.BenchPeer;
import io.millrace.samples.bench.peer.Workload;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The comparison with another checkout, here a launcher of three lines. */
final class BaselineTest {
  private static final String IS_BUILT = "exit 0";

  private final ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
  private final ByteArrayOutputStream errBytes = new ByteArrayOutputStream();

  @TempDir Path checkout;

  @BeforeEach
  void makeFolders() throws IOException {
    Files.createDirectory(checkout.resolve("bin"));
    Files.createDirectory(checkout.resolve(".local"));
  }

  private void write(String launcher, String classPath) throws IOException {
    Path file = checkout.resolve("bin/millrace");
    Files.writeString(file, "#!/bin/sh\n" + launcher + "\n");
    assertTrue(file.toFile().setExecutable(true));
    Files.writeString(checkout.resolve(".local/classpath"), classPath + "\n");
  }

  private int run(String... more) {
    List<String> args = new ArrayList<>(List.of("--baseline", checkout.toString()));
    args.addAll(List.of("--rounds", "1", "--seconds", "0.05", "--warmup", "0", "--json"));
    args.addAll(List.of("--workload", Workload.UNARY_RATE_32B_256.label()));
    args.addAll(List.of(more));
    return BenchCommand.run(
        args,
        new PrintStream(outBytes, true, StandardCharsets.UTF_8),
        new PrintStream(errBytes, true, StandardCharsets.UTF_8));
  }

  private String err() {
    return errBytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void shouldTakeTurnsBeforeAndAfterThisBuild() {
    List<BenchPeer> own = PeerCatalog.find(BenchPeer.MILLRACE).subList(0, 1);
    assertEquals(
        List.of("baseline", "millrace", "baseline-again"),
        new BaselineBuild(checkout, "").around(own).stream().map(BenchPeer::name).toList());
  }

  /** A checkout may have been built before, with benchmarks in another place. */
  @ParameterizedTest
  @CsvSource({"a:b:c, a:b:c", "x:y:z, a:b"})
  void shouldHaveTheClassPathOfTheBenchmarksOfThatBuild(String longer, String expected)
      throws Exception {
    write(IS_BUILT, "a:b");
    Files.writeString(checkout.resolve(".local/classpath-bench"), longer + "\n");
    assertEquals(expected, BaselineBuild.of(checkout).classPath());
  }

  /** The launcher makes the class path, like a launcher with a stale build. */
  @Test
  @Tag("soak")
  void shouldMeasureTheOtherBuildBeforeAndAfterThisOne() throws Exception {
    String classPath = System.getProperty("java.class.path");
    write("echo '%s' > '%s/.local/classpath'".formatted(classPath, checkout), "stale");

    assertEquals(0, run(), err());

    String out = outBytes.toString(StandardCharsets.UTF_8);
    List<String> lines = out.lines().toList();
    JsonNode report = new ObjectMapper().readTree(lines.getLast());
    assertEquals(1, report.get("rows").size(), out);
    JsonNode row = report.get("rows").get(0);
    assertEquals("unary_rate_32B_256", row.get("name").asText());
    assertEquals("baseline", row.get("peer").asText());
    assertEquals(2, row.get("rounds").size(), "of two times that it ran");
    double ratio = row.get("millrace").asDouble() / row.get("value").asDouble();
    assertEquals(ratio, row.get("ratio").asDouble(), 1e-9);
    assertTrue(row.get("spread").asDouble() >= 0, row.toString());
    assertEquals(
        List.of("baseline", "millrace", "baseline-again"),
        err()
            .lines()
            .filter(line -> line.contains("starting"))
            .map(BaselineTest::lastWord)
            .toList());
    assertTrue(out.contains("itself"), out);
  }

  private static String lastWord(String line) {
    return line.substring(line.lastIndexOf(' ') + 1);
  }

  @Test
  void shouldRefuseWhatIsNoCheckout() {
    assertEquals(2, run());
    assertEquals(
        "bench: --baseline " + checkout + ": not a checkout, bin/millrace is missing\n", err());
  }

  @Test
  void shouldSayThatTheOtherCheckoutCannotBeBuilt() throws IOException {
    write("echo 'what the compiler says' >&2; echo 'the last line' >&2; exit 7", "");
    assertEquals(1, run());
    assertEquals(
        "bench: the baseline in %s cannot be built: bin/millrace info ended with 7: the last line"
            .formatted(checkout),
        err().lines().toList().getLast());
  }

  @Test
  void shouldSayThatTheOtherBuildLeftNoClassPath() throws IOException {
    write(IS_BUILT, "");
    Files.delete(checkout.resolve(".local/classpath"));
    assertEquals(1, run());
    assertEquals(
        "bench: the baseline in " + checkout + " has no .local/classpath",
        err().lines().toList().getLast());
  }

  /** A checkout older than the bench would answer so. */
  @Test
  void shouldSayThatTheOtherBuildHasNoBench() throws IOException {
    try (PeerPair pair = launch()) {
      String message = assertThrows(IOException.class, pair::connect).toString();
      assertTrue(message.contains(cannotTalk() + "baseline-server ended"), message);
    }
  }

  /** A checkout whose bench tells fewer figures would answer so. */
  @Test
  void shouldSayThatTheOtherBuildGivesOtherAnswers() throws Exception {
    compile(
        """
        package io.millrace.samples.bench;
        public class ChildMain {
          public static void main(String[] args) {
            System.out.println("@bench ready" + (args[0].equals("server") ? " here" : ""));
            var commands = new java.util.Scanner(System.in);
            while (commands.hasNextLine()) {
              String command = commands.nextLine();
              System.out.println(
                  command.equals("resume")
                      ? "@bench resumed"
                      : command.equals("pause") ? "@bench paused 1 2 3" : "@bench result 1 2;3 4");
            }
          }
        }
        """);
    try (PeerPair pair = launch()) {
      pair.connect();
      IOException failure =
          assertThrows(IOException.class, () -> pair.run(Workload.UNARY_RATE_32B_256, 1));
      assertEquals(cannotTalk() + "not the usage of a process: 1 2 3", failure.getMessage());
    }
  }

  private PeerPair launch() throws IOException {
    BaselineBuild build = new BaselineBuild(checkout, checkout.toString());
    BenchPeer peer = build.around(PeerCatalog.find(BenchPeer.MILLRACE)).getFirst();
    return PeerPair.launch(
        peer, new PeerPair.Launch(new CoreMap(-1, -1, "test"), checkout, "none"));
  }

  private String cannotTalk() {
    return "the baseline in " + checkout + " cannot talk with this build's bench: ";
  }

  private void compile(String source) throws IOException {
    Path file = checkout.resolve("ChildMain.java");
    Files.writeString(file, source);
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", checkout.toString(), file.toString());
    assertEquals(0, failed);
  }
}
