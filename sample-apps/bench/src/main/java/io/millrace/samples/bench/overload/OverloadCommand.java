package io.millrace.samples.bench.overload;

import io.millrace.samples.overload.OverloadLoad;
import io.millrace.samples.overload.OverloadPlan;
import io.millrace.samples.overload.OverloadPlan.Bottleneck;
import io.millrace.samples.overload.OverloadResult;
import io.millrace.testkit.internal.scenario.RunResult;
import io.millrace.testkit.internal.scenario.RunSettings;
import io.millrace.testkit.internal.scenario.SimRunner;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code millrace bench overload}: more calls than a node can do, in virtual time. */
public final class OverloadCommand {
  private static final int OK = 0;
  private static final int FAILED = 1;
  private static final int BAD_ARGUMENT = 2;
  private static final long MS_NS = 1_000_000;
  private static final long WARM_NS = 300 * MS_NS;

  private static final String USAGE =
      """
      millrace bench overload [options]
      More calls than one node can do, of several priorities, in simulated nodes and virtual time.
        --bottleneck WHAT   handlers: one thread, 200 us a call; nic: the send rate of the callers;
                            all (default)
        --factors LIST      offered load, in multiples of the possible load (default 1,2,4,10)
        --callers N         nodes that call the serving node (default 4)
        --deadline MS       deadline of each call; 0 for none (default 200)
        --time MS           measured virtual time, behind 300 ms of load (default 1000)
        --set KEY=VALUE     a setting of all nodes; may be given several times
        --seed N            decides everything (default 1)
        --csv FILE          writes a line for each factor and priority
        --plot FILE         draws completed calls and latencies over the offered load (PNG)\
      """;

  @Option(names = "--bottleneck")
  private String bottleneck = "all";

  @Option(names = "--factors", split = ",")
  private List<Double> factors = List.of(1.0, 2.0, 4.0, 10.0);

  @Option(names = "--callers")
  private int callers = 4;

  @Option(names = "--deadline")
  private long deadlineMs = 200;

  @Option(names = "--time")
  private long timeMs = 1_000;

  @Option(names = "--set")
  private List<String> settings = new ArrayList<>();

  @Option(names = "--seed")
  private long seed = 1;

  @Option(names = "--csv")
  private @Nullable Path csv;

  @Option(names = "--plot")
  private @Nullable Path plot;

  private OverloadCommand() {}

  /** The text that {@code --help} prints. */
  public static String usage() {
    return USAGE;
  }

  /**
   * Runs the command.
   *
   * @param args the arguments behind {@code bench overload}
   * @param out receives the report
   * @param err receives progress, and one line when an argument is bad
   * @return the exit code: 0; 1 when a run broke a rule of the simulator; 2 when an argument is bad
   * @throws IOException if a file cannot be written
   */
  public static int run(List<String> args, PrintStream out, PrintStream err)
      throws IOException, InterruptedException {
    OverloadCommand command = new OverloadCommand();
    try {
      new CommandLine(command).parseArgs(args.toArray(String[]::new));
      return command.measure(out, err);
    } catch (ParameterException | IllegalArgumentException e) {
      err.println("bench overload: " + e.getMessage());
      return BAD_ARGUMENT;
    }
  }

  private List<Bottleneck> bottlenecks() {
    return switch (bottleneck) {
      case "handlers" -> List.of(Bottleneck.HANDLERS);
      case "nic" -> List.of(Bottleneck.NIC);
      case "all" -> List.of(Bottleneck.values());
      default -> throw new IllegalArgumentException("--bottleneck is handlers, nic or all");
    };
  }

  private int measure(PrintStream out, PrintStream err) throws IOException, InterruptedException {
    List<OverloadReport.Curve> curves = new ArrayList<>();
    for (Bottleneck each : bottlenecks()) {
      List<OverloadResult> results = new ArrayList<>();
      for (double factor : factors) {
        err.printf("overload: %s, %.1f times the possible load%n", each, factor);
        RunResult run = measure(plan(each, factor), results);
        if (run.isFailed()) {
          err.println("bench overload: " + run.violation());
          return FAILED;
        }
      }
      curves.add(new OverloadReport.Curve(each, results));
    }
    OverloadReport report = new OverloadReport(curves);
    report.print(out);
    if (csv != null) {
      report.writeCsv(csv);
    }
    if (plot != null) {
      OverloadPlot.write(curves, plot);
    }
    return OK;
  }

  private OverloadPlan plan(Bottleneck each, double factor) {
    OverloadPlan.Times times = new OverloadPlan.Times(WARM_NS, timeMs * MS_NS, deadlineMs * MS_NS);
    return new OverloadPlan(
        each, callers, factor, OverloadPlan.usualShares(), times, String.join("\n", settings));
  }

  private RunResult measure(OverloadPlan plan, List<OverloadResult> results)
      throws InterruptedException {
    AtomicReference<@Nullable OverloadResult> told = new AtomicReference<>();
    SimRunner runner =
        new SimRunner(run -> told.set(OverloadLoad.run(run, plan)), 1).patience(Duration.ZERO);
    RunResult run = runner.run(RunSettings.of(seed));
    if (!run.isFailed()) {
      results.add(Objects.requireNonNull(told.get()));
    }
    return run;
  }
}
