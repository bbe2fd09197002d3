package io.millrace.samples.bench.burst;

import io.millrace.samples.bench.burst.simulated.SimulatedBurst;
import io.millrace.samples.bench.burst.simulated.Simulator;
import io.millrace.samples.bench.peer.BaselineBuild;
import io.millrace.samples.process.ScratchDirectory;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ParameterException;

/** {@code millrace bench burst}. */
public final class BurstCommand {
  private static final int OK = 0;
  private static final int FAILED = 1;
  private static final int BAD_ARGUMENT = 2;

  private BurstCommand() {}

  /** The text that {@code --help} prints. */
  public static String usage() {
    return BurstOptions.usage();
  }

  /**
   * Runs the command.
   *
   * @param args the arguments behind {@code bench burst}
   * @param out receives the report
   * @param err receives progress, and one line when a step goes wrong
   * @return the exit code: 0; 1 when a peer could not run, whose row is missing then; 2 when an
   *     argument is bad or this host lacks a prerequisite
   * @throws IOException if nothing could be run
   */
  public static int run(List<String> args, PrintStream out, PrintStream err)
      throws IOException, InterruptedException {
    BurstOptions options;
    try {
      options = BurstOptions.parse(args);
    } catch (ParameterException e) {
      err.println("bench burst: " + e.getMessage());
      return BAD_ARGUMENT;
    }
    String missing = Laboratory.missing();
    if (missing.isEmpty() && options.systemCalls) {
      missing = SystemCalls.missing();
    }
    if (!missing.isEmpty()) {
      err.println(missing);
      return BAD_ARGUMENT;
    }
    List<BurstSubject> subjects = subjects(options, err);
    if (options.isPaxos()) {
      return PaxosBurst.run(options, subjects, out, err);
    }
    List<BurstOptions> shapes = options.isShapes() ? options.plan() : List.of();
    List<BurstRow> rows =
        new ArrayList<>(
            options.isShapes()
                ? ShapesBurst.run(shapes, subjects, err)
                : measure(options, subjects, err));
    rows.replaceAll(row -> simulated(row, err));
    BurstReport report = new BurstReport(options, rows);
    report.printTable(out);
    Path plot = options.plot;
    if (plot != null) {
      BurstPlot.write(rows, plot);
    }
    if (options.json) {
      report.printJson(out);
    }
    int wanted =
        options.isShapes() ? shapes.size() : options.shapes().size() * options.sizes.size();
    return rows.size() < wanted * subjects.size() ? FAILED : OK;
  }

  /** A row of this build whose bound is the processor gets the same burst in the simulator. */
  private static BurstRow simulated(BurstRow row, PrintStream err) {
    boolean isOurs = row.peer().equals(BurstKind.MILLRACE.label());
    if (!isOurs || !row.isBoundByProcessor() || row.median().change() != null) {
      return row;
    }
    err.println("burst: " + row.name() + " was bound by the processor: in the simulator");
    BurstOptions options = row.options();
    try {
      return row.with(
          Simulator.run(
              new SimulatedBurst.Plan(
                  options.peers,
                  options.transfers,
                  row.sizeBytes(),
                  row.shape() == BurstShape.FANOUT,
                  options.rate,
                  options.queueBytes,
                  options.mtu)));
    } catch (IOException e) {
      err.println("bench: " + row.name() + ": " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return row;
  }

  private static List<BurstSubject> subjects(BurstOptions options, PrintStream err)
      throws IOException, InterruptedException {
    List<BurstSubject> subjects = new ArrayList<>();
    Path baseline = options.baseline;
    if (baseline != null) {
      err.println("burst: bringing the build of the baseline in " + baseline + " up to date");
      subjects.add(BurstSubject.of(BaselineBuild.of(baseline.toAbsolutePath().normalize())));
    }
    options.kinds().forEach(kind -> subjects.add(BurstSubject.of(kind)));
    return subjects;
  }

  private static List<BurstRow> measure(
      BurstOptions options, List<BurstSubject> subjects, PrintStream err)
      throws IOException, InterruptedException {
    try (ScratchDirectory scratch = ScratchDirectory.create("millrace-burst");
        Laboratory laboratory = Laboratory.open(options)) {
      return measure(options, subjects, new BurstRun(options, laboratory, scratch.path(), err));
    }
  }

  private static List<BurstRow> measure(
      BurstOptions options, List<BurstSubject> subjects, BurstRun run) throws InterruptedException {
    List<BurstRow> rows = new ArrayList<>();
    for (BurstShape shape : options.shapes()) {
      for (int size : options.sizes) {
        for (BurstSubject subject : subjects) {
          run.run(subject, shape, size).ifPresent(rows::add);
        }
      }
    }
    return rows;
  }
}
