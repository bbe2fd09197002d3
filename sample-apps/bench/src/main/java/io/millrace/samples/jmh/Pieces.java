package io.millrace.samples.jmh;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs the benchmarks of this package with the allocation profiler and prints a table: nanoseconds
 * and bytes of garbage per operation.
 *
 * <p>Arguments: {@code --quick} for a short run, and a regular expression that selects benchmarks.
 */
public final class Pieces {
  private static final String ALLOCATED = "gc.alloc.rate.norm";

  private Pieces() {}

  /** Runs all benchmarks, or the benchmarks selected by the arguments. */
  public static void main(String[] args) {
    List<String> selected = new ArrayList<>(List.of(args));
    boolean quick = selected.remove("--quick");
    try {
      Collection<RunResult> results = new Runner(options(selected, quick).build()).run();
      print(results, System.out);
      System.exit(0);
    } catch (RunnerException e) {
      System.err.println("pieces: " + e.getMessage());
      System.exit(1);
    }
  }

  /**
   * Runs a benchmark of this package in a JVM of its own; returns nanoseconds per operation.
   *
   * @param method the method of the benchmark
   * @param parameters all parameters of the benchmark, by name
   * @throws IOException if the benchmark failed
   */
  public static double nsPerOperation(
      Class<?> benchmark, String method, Map<String, String> parameters, boolean quick)
      throws IOException {
    ChainedOptionsBuilder options = options(quick).forks(1);
    parameters.forEach(options::param);
    String name = benchmark.getName() + "." + method;
    try {
      return new Runner(options.include(Pattern.quote(name) + "$").build())
          .runSingle()
          .getPrimaryResult()
          .getScore();
    } catch (RunnerException e) {
      throw new IOException(name + ": " + e.getMessage(), e);
    }
  }

  private static ChainedOptionsBuilder options(List<String> selected, boolean quick) {
    ChainedOptionsBuilder options =
        options(quick)
            .param("provider", SealBench.available().toArray(String[]::new))
            .addProfiler(GCProfiler.class);
    if (selected.isEmpty()) {
      return options.include(Pieces.class.getPackageName().replace(".", "\\."));
    }
    selected.forEach(options::include);
    return options;
  }

  private static ChainedOptionsBuilder options(boolean quick) {
    return new OptionsBuilder()
        .mode(Mode.AverageTime)
        .timeUnit(TimeUnit.NANOSECONDS)
        .forks(quick ? 1 : 2)
        .warmupIterations(quick ? 2 : 5)
        .warmupTime(TimeValue.milliseconds(quick ? 300 : 1000))
        .measurementIterations(quick ? 3 : 5)
        .measurementTime(TimeValue.milliseconds(quick ? 300 : 1000))
        .shouldFailOnError(true)
        .verbosity(VerboseMode.SILENT)
        .jvmArgs(
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-XX:+UseSerialGC");
  }

  private static void print(Collection<RunResult> results, PrintStream out) {
    out.printf("%-50s %12s %10s %10s%n", "piece", "ns/op", "+/-", "B/op");
    results.stream()
        .sorted(Comparator.comparing(Pieces::name))
        .forEach(
            run -> {
              Result<?> time = run.getPrimaryResult();
              Result<?> allocated = run.getSecondaryResults().get(ALLOCATED);
              out.printf(
                  "%-50s %12.1f %10.1f %10.1f%n",
                  name(run),
                  time.getScore(),
                  time.getScoreError(),
                  allocated == null ? Double.NaN : allocated.getScore());
            });
  }

  private static String name(RunResult run) {
    String benchmark = run.getParams().getBenchmark();
    String pieces = Pieces.class.getPackageName() + ".";
    StringBuilder name = new StringBuilder(benchmark.substring(pieces.length()));
    for (String key : run.getParams().getParamsKeys()) {
      name.append(' ').append(run.getParams().getParam(key));
    }
    return name.toString();
  }
}
