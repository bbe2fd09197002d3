package io.millrace.samples.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Option;

/** The common part of every command: its screen, {@code --help} and {@code --json}. */
abstract class Subcommand implements Callable<Integer> {
  private final Screen screen;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  private boolean help;

  @Option(names = "--json", description = "Print one JSON object as the last line of stdout.")
  private boolean json;

  Subcommand(Screen screen) {
    this.screen = screen;
  }

  final Screen screen() {
    return screen;
  }

  final boolean isJson() {
    return json;
  }

  final boolean isHelp() {
    return help;
  }

  /** Prints a line that a waiting process reads before the end of this process. */
  final void printAtOnce(String line) {
    screen.out().println(line);
    screen.out().flush();
  }

  /** Returns the JSON object of a run that failed with this sentence. */
  Map<String, Object> failureReport(String sentence) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("error", sentence);
    return report;
  }
}
