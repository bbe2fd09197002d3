package io.millrace.samples.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command with subcommands, which does nothing by itself. */
abstract class CommandGroup implements Runnable {
  /** The commands that {@code bin/millrace} runs itself, without this program. */
  private static final List<String> OF_SCRIPT =
      List.of("check", "test", "soak", "fuzz", "install", "format");

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  private boolean help;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public final void run() {
    if (!help) {
      throw new ParameterException(
          spec.commandLine(), "no command was given; commands are: " + commands(spec));
    }
  }

  /** Returns the names of all subcommands; of {@code millrace} also the script's commands. */
  static String commands(CommandSpec of) {
    List<String> names = new ArrayList<>(of.subcommands().keySet());
    if (of.parent() == null) {
      names.addAll(OF_SCRIPT);
    }
    return String.join(", ", names);
  }
}
