package io.millrace.samples.cli;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Hands the arguments, help included, to the {@link Program} on the class path. */
@Command(
    name = "bench",
    description = "The same work on Millrace and on peers, interleaved; ratios.")
public final class BenchSubcommand implements Callable<Integer> {
  /** The cure for a class path without the benchmarks. */
  static final String LAUNCHER = "bin/millrace starts this command with them";

  private final Screen screen;
  @Unmatched private List<String> arguments = new ArrayList<>();

  BenchSubcommand(Screen screen) {
    this.screen = screen;
  }

  @Override
  public Integer call() {
    return ServiceLoader.load(Program.class)
        .findFirst()
        .orElseThrow(
            () -> CommandException.failed("the benchmarks are not on the class path; " + LAUNCHER))
        .run(List.copyOf(arguments), screen.out(), screen.err());
  }

  /**
   * The benchmarks. Another module provides the program to {@link ServiceLoader}: only this module
   * has the transports of the comparison on its class path.
   */
  public interface Program {
    /**
     * Runs the program.
     *
     * @param args the arguments behind {@code bench} on the command line
     * @param out receives the report
     * @param err receives progress, and one line when a step goes wrong
     * @return the exit code of the process
     */
    int run(List<String> args, PrintStream out, PrintStream err);
  }
}
