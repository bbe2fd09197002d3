package io.millrace.samples.cli;

import java.io.PrintStream;
import java.util.List;

/**
 * The program behind {@code millrace bench}, which another module provides to {@link
 * java.util.ServiceLoader}: only this module has the transports of the comparison on its class
 * path.
 */
public interface Benchmarks {
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
