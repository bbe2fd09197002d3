package io.millrace.samples.bench;

import io.millrace.samples.cli.Benchmarks;
import java.io.PrintStream;
import java.util.List;

/** Gives the command line its command {@code bench}. */
public final class BenchProgram implements Benchmarks {
  @Override
  public int run(List<String> args, PrintStream out, PrintStream err) {
    return BenchCommand.run(args, out, err);
  }
}
