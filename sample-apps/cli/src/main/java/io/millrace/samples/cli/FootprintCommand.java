package io.millrace.samples.cli;

import io.millrace.samples.sim.ClassHistogram;
import io.millrace.samples.sim.Footprint;
import io.millrace.samples.sim.OpenKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the memory of an open call or stream. */
@Command(
    name = "footprint",
    description = {
      "Bytes of heap for each open call, bulk transfer and stream, at both sides.",
      "Includes the streams API and its actors. Measured on two simulated nodes in this process."
    })
final class FootprintCommand extends Subcommand {
  private static final int LEAST = 2_000;
  private static final int MOST = 10_000_000;
  private static final int FEW = 1_000;
  private static final int TENTH = 10;
  private static final int WARM_UPS = 6;

  @Option(
      names = "--streams",
      paramLabel = "N",
      defaultValue = "100000",
      description = "Streams of each pattern. Default: ${DEFAULT-VALUE}.")
  private int streams;

  @Option(
      names = "--calls",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Unary calls. Default: ${DEFAULT-VALUE}.")
  private int calls;

  @Option(
      names = "--transfers",
      paramLabel = "N",
      defaultValue = "100000",
      description =
          "Calls with requests in regions, and bulk transfers. Default: ${DEFAULT-VALUE}.")
  private int transfers;

  @Option(
      names = "--histogram",
      description = "Also tell the classes of the objects, both sides together.")
  private boolean histogram;

  @Option(
      names = "--cost",
      description = {
        "Only the processor time of an answered call beside 1,000, a tenth of --calls, and",
        "--calls open calls: both nodes and the simulated network."
      })
  private boolean cost;

  FootprintCommand(Screen screen) {
    super(screen);
  }

  @Override
  public Integer call() throws Exception {
    check("--streams", streams);
    check("--calls", calls);
    check("--transfers", transfers);
    Progress progress = new Progress(screen(), System.nanoTime());
    if (cost) {
      return tellCosts(progress);
    }
    List<Footprint.Result> results = new ArrayList<>();
    for (OpenKind kind : OpenKind.values()) {
      progress.show("opening " + kind.text(), System.nanoTime());
      results.add(Footprint.of(kind, count(kind), histogram));
    }
    progress.clear();
    if (isJson()) {
      JsonLine.print(screen().out(), Map.of("open", results.stream().map(this::row).toList()));
    } else {
      TextTable table = new TextTable().row("pattern", "open", "B at caller", "B at server");
      for (Footprint.Result each : results) {
        table.row(
            each.kind().text(),
            Figures.count(each.open()),
            Figures.count(each.clientBytes()),
            Figures.count(each.serverBytes()));
      }
      table.print(screen().out());
      results.forEach(this::tellClasses);
    }
    return ExitCode.DONE;
  }

  private int tellCosts(Progress progress) throws Exception {
    List<Map<String, Object>> rows = new ArrayList<>();
    TextTable table = new TextTable().row("open calls", "ns of an answered call");
    // The first measurements, which pay for the compilation of code, do not count.
    for (int i = 0; i < WARM_UPS; i++) {
      long _ = Footprint.CallCost.ofNs(FEW);
    }
    for (int open : new int[] {FEW, calls / TENTH, calls}) {
      progress.show("opening " + Figures.count(open) + " calls", System.nanoTime());
      long callNs = Footprint.CallCost.ofNs(open);
      rows.add(Map.of("open", open, "call_ns", callNs));
      table.row(Figures.count(open), Figures.count(callNs));
    }
    progress.clear();
    if (isJson()) {
      JsonLine.print(screen().out(), Map.of("cost", rows));
    } else {
      table.print(screen().out());
    }
    return ExitCode.DONE;
  }

  private int count(OpenKind kind) {
    return switch (kind) {
      case UNARY -> calls;
      case TOKENED, BULK, BULK_WAITING -> transfers;
      case STREAMING_RESPONSE, STREAMING_REQUEST, BIDIRECTIONAL -> streams;
    };
  }

  private void tellClasses(Footprint.Result result) {
    if (!histogram) {
      return;
    }
    TextTable table = new TextTable().row(result.kind().text(), "B of each", "objects");
    for (ClassHistogram.Share share : result.classes()) {
      table.row(
          share.className(),
          Figures.count(Math.round(share.bytes())),
          "%.2f".formatted(share.objects()));
    }
    screen().out().println();
    table.print(screen().out());
  }

  private Map<String, Object> row(Footprint.Result result) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("pattern", result.kind().text());
    row.put("open", result.open());
    row.put("caller_bytes", result.clientBytes());
    row.put("server_bytes", result.serverBytes());
    if (histogram) {
      row.put("classes", result.classes().stream().map(FootprintCommand::row).toList());
    }
    return row;
  }

  private static Map<String, Object> row(ClassHistogram.Share share) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("class", share.className());
    row.put("bytes", share.bytes());
    row.put("objects", share.objects());
    return row;
  }

  private static void check(String name, int count) {
    if (count < LEAST || count > MOST) {
      throw CommandException.badArgument(
          name + " must be from " + LEAST + " to " + MOST + ", not " + count);
    }
  }
}
