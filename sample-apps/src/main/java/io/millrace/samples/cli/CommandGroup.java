package io.millrace.samples.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command with subcommands, which does nothing by itself. */
abstract class CommandGroup implements Runnable {
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
          spec.commandLine(),
          "no command was given; commands are: " + String.join(", ", spec.subcommands().keySet()));
    }
  }
}
