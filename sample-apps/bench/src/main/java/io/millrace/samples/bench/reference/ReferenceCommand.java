package io.millrace.samples.bench.reference;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code millrace bench reference}: published incasts in the simulator. */
public final class ReferenceCommand {
  private static final int OK = 0;
  private static final int BAD_ARGUMENT = 2;

  private static final String USAGE =
      """
      millrace bench reference [options]
        --only NAME         this incast; repeat for several (default: all)
        --set KEY=VALUE     a setting of all nodes; repeat for several
        --csv FILE          the figures as CSV
        --plot FILE         the completions over time as PNG
        --json              one JSON object on the last line
      Incasts: 15x2MB, 127x2MB, 1023x100KB, outcast, 300x16KiB, 2000x16KiB, 10000x16KiB.
      100 Gbit/s, 12 us round trip, packets of 4,096 bytes, a queue of 300 KB; virtual time.\
      """;

  @Option(names = "--only")
  private List<String> only = new ArrayList<>();

  @Option(names = "--set")
  private List<String> settings = new ArrayList<>();

  @Option(names = "--csv")
  private @Nullable Path csv;

  @Option(names = "--plot")
  private @Nullable Path plot;

  @Option(names = "--json")
  private boolean json;

  private ReferenceCommand() {}

  /** The text that {@code --help} prints. */
  public static String usage() {
    return USAGE;
  }

  /**
   * Runs the command; the JVM needs the simulator's agent.
   *
   * @param args the arguments behind {@code bench reference}
   * @param out receives the report
   * @param err receives progress, and one line when an argument is bad
   * @return the exit code: 0, or 2 when an argument is bad
   * @throws IOException if a file cannot be written, or an incast does not end
   */
  public static int run(List<String> args, PrintStream out, PrintStream err)
      throws IOException, InterruptedException {
    ReferenceCommand command = new ReferenceCommand();
    try {
      new CommandLine(command).parseArgs(args.toArray(String[]::new));
    } catch (ParameterException e) {
      err.println("bench reference: " + e.getMessage());
      return BAD_ARGUMENT;
    }
    List<ReferenceCase> chosen = command.chosen();
    if (chosen.isEmpty()) {
      err.println("bench reference: no such incast; see --help");
      return BAD_ARGUMENT;
    }
    command.measure(chosen, out, err);
    return OK;
  }

  private List<ReferenceCase> chosen() {
    return ReferenceCase.ALL.stream()
        .filter(incast -> only.isEmpty() || only.contains(incast.name()))
        .toList();
  }

  private String overrides() {
    return String.join(System.lineSeparator(), settings);
  }

  private void measure(List<ReferenceCase> chosen, PrintStream out, PrintStream err)
      throws IOException, InterruptedException {
    List<ReferenceRow> rows = new ArrayList<>();
    ReferenceReport.printHead(out);
    for (ReferenceCase incast : chosen) {
      err.println("reference: " + incast.name());
      ReferenceRow row = simulate(incast);
      rows.add(row);
      ReferenceReport.print(row, out);
    }
    ReferenceReport.printLosses(rows, out);
    if (csv != null) {
      ReferenceReport.writeCsv(rows, csv);
    }
    if (plot != null) {
      ReferencePlot.write(rows, plot);
    }
    if (json) {
      out.println(
          new ObjectMapper()
              .writeValueAsString(rows.stream().map(ReferenceReport::figures).toList()));
    }
  }

  private ReferenceRow simulate(ReferenceCase incast) throws IOException, InterruptedException {
    try {
      return ReferenceRun.of(incast, overrides());
    } catch (IOException | InterruptedException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(incast.name() + ": " + e.getMessage(), e);
    }
  }
}
