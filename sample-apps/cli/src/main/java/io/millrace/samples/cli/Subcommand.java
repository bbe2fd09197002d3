package io.millrace.samples.cli;

import com.typesafe.config.Config;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.slf4j.LoggerFactory;
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

  /** Starts an actor system that has no actors yet; the caller ends the system. */
  static ActorSystem<Void> actorSystem(String name, Config config) {
    // A single thread begins SLF4J: SLF4J would replay the messages of the system's threads from
    // the meantime, with a warning.
    var _ = LoggerFactory.getILoggerFactory();
    return ActorSystem.create(Behaviors.empty(), name, config);
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
