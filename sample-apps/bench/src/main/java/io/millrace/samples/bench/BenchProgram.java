package io.millrace.samples.bench;

import io.millrace.samples.cli.BenchSubcommand;
import java.io.PrintStream;
import java.util.List;

/** Gives the command line its command {@code bench}. */
public final class BenchProgram implements BenchSubcommand.Program {
  @Override
  public int run(List<String> args, PrintStream out, PrintStream err) {
    return BenchCommand.run(args, out, err);
  }
}
