package io.millrace.samples.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Hands its arguments, help included, to the benchmark. */
@Command(
    name = "bench",
    description = "The same work on Millrace and on peers, interleaved; ratios.")
final class BenchSubcommand implements Callable<Integer> {
  /** The cure for a class path without the benchmarks. */
  static final String LAUNCHER = "bin/millrace starts this command with them";

  private final Screen screen;
  @Unmatched private List<String> arguments = new ArrayList<>();

  BenchSubcommand(Screen screen) {
    this.screen = screen;
  }

  @Override
  public Integer call() {
    return ServiceLoader.load(Benchmarks.class)
        .findFirst()
        .orElseThrow(
            () -> CommandException.failed("the benchmarks are not on the class path; " + LAUNCHER))
        .run(List.copyOf(arguments), screen.out(), screen.err());
  }
}
