package io.millrace.samples.cli;

import io.millrace.samples.bench.BenchCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Hands its arguments, help included, to the benchmark. */
@Command(
    name = "bench",
    description = "The same work on Millrace and on peers, interleaved; ratios.")
final class BenchSubcommand implements Callable<Integer> {
  private final Screen screen;
  @Unmatched private List<String> arguments = new ArrayList<>();

  BenchSubcommand(Screen screen) {
    this.screen = screen;
  }

  @Override
  public Integer call() {
    return BenchCommand.run(List.copyOf(arguments), screen.out(), screen.err());
  }
}
