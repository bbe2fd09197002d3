package io.millrace.samples.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ArgumentsTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvFileSource(
      resources = "/io/millrace/samples/cli/arguments.csv",
      delimiter = '|',
      numLinesToSkip = 1)
  void shouldTellABadArgumentInOneLineAndEnd2(String args, String line) {
    CommandRun run = CommandRun.of(args.isEmpty() ? List.of() : List.of(args.split(" ")));

    assertEquals(List.of(line), run.err());
    assertEquals(List.of(), run.out());
    assertEquals(2, run.exitCode());
  }

  @ParameterizedTest
  @ValueSource(strings = {"bench --help", "log bench"})
  void shouldNameTheLauncherWhenABenchmarkIsNotOnTheClassPath(String args) {
    CommandRun run = CommandRun.of(args.split(" "));

    assertEquals(1, run.exitCode());
    assertEquals(1, run.err().size(), run.err().toString());
    assertTrue(run.err().getFirst().endsWith("bin/millrace starts this command with them"));
  }

  @Test
  void shouldNameTheDriversThatAreHereWhenOneIsUnknown() {
    CommandRun run = CommandRun.of("demo", "--driver", "pigeon");

    assertEquals(2, run.exitCode());
    assertEquals(1, run.err().size());
    String line = run.err().getFirst();
    assertTrue(line.startsWith("millrace demo: unknown driver 'pigeon'; here are: "), line);
    assertTrue(line.contains("udp-nio"), line);
  }

  @Test
  void shouldNameAnUnknownConfigurationKey() {
    CommandRun run = CommandRun.of("demo", "--set", "millrace.workers.cuont=1");

    assertEquals(2, run.exitCode());
    assertEquals(1, run.err().size());
    String line = run.err().getFirst();
    assertEquals(
        "millrace demo: configuration key 'millrace.workers.cuont' is unknown; did you mean"
            + " 'millrace.workers.count'?",
        line);
  }

  @Test
  void shouldSayWhereAConfigurationFileHasAnUnknownKey() throws IOException {
    Path file = Files.writeString(folder.resolve("node.conf"), "\nmillrace.wrong = 1\n");

    CommandRun run = CommandRun.of("demo", "--config", file.toString());

    assertEquals(
        List.of(
            "millrace demo: configuration key 'millrace.wrong' is unknown (node.conf: 2);"
                + " docs/configuration.md has all keys"),
        run.err());
  }

  @Test
  void shouldNameAConfigurationFileThatIsNotHocon() throws IOException {
    Path file = Files.writeString(folder.resolve("bad.conf"), "millrace { workers {");

    CommandRun run = CommandRun.of("demo", "--config", file.toString());

    assertEquals(2, run.exitCode());
    assertEquals(1, run.err().size());
    String line = run.err().getFirst();
    assertTrue(
        line.startsWith("millrace demo: the configuration file '" + file + "' is not HOCON: "),
        line);
  }

  @ParameterizedTest
  @CsvSource({
    "abcd, has fewer than 64 hexadecimal digits",
    "xyz, is not hexadecimal digits",
  })
  void shouldRefuseAKeyThatIsNone(String text, String problem) throws IOException {
    Path file = Files.writeString(folder.resolve("psk"), text);

    CommandRun run = CommandRun.of("perf", "127.0.0.1:1", "--psk-file", file.toString());

    assertEquals(
        List.of("millrace perf: the pre-shared key in '" + file + "' " + problem), run.err());
    assertEquals(2, run.exitCode());
  }

  @Test
  void shouldRefuseAnEmptyFile() throws IOException {
    Path file = Files.createFile(folder.resolve("empty"));

    CommandRun run = CommandRun.of("demo", "--file", file.toString());

    assertEquals(List.of("millrace demo: '" + file + "' is empty"), run.err());
    assertEquals(2, run.exitCode());
  }

  @Test
  void shouldReportNoPatternOfADemoThatDidNotBegin() {
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), true, UTF_8);
    DemoCommand demo = new DemoCommand(new Screen(nowhere, nowhere, false));

    assertEquals(List.of(), demo.failureReport("it failed").get("patterns"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "demo", "info", "serve", "perf", "cp"})
  void shouldHelpOnStdout(String command) {
    CommandRun run =
        CommandRun.of(command.isEmpty() ? List.of("--help") : List.of(command, "--help"));

    assertEquals(0, run.exitCode());
    assertEquals(List.of(), run.err());
    assertTrue(run.out().getFirst().startsWith(("Usage: millrace " + command).strip()));
  }

  @Test
  void shouldTellItsVersion() {
    CommandRun run = CommandRun.of(List.of("--version"));

    assertEquals(0, run.exitCode());
    assertTrue(run.out().getFirst().startsWith("millrace "), run.out()::toString);
  }

  @Test
  void shouldDescribeEveryCommandInAListByOneWholeSentence() {
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), true, UTF_8);
    requireSentences(Main.commandLine(new Screen(nowhere, nowhere, false)));
  }

  private static void requireSentences(CommandLine line) {
    for (CommandLine each : line.getSubcommands().values()) {
      String first = each.getCommandSpec().usageMessage().description()[0];
      assertTrue(first.endsWith(".") && !first.contains(". "), first);
      requireSentences(each);
    }
  }
}
