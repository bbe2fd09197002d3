package io.millrace.samples.cli;

import io.millrace.samples.sim.Footprint;
import io.millrace.samples.sim.OpenKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What an open call or stream takes in memory. */
@Command(
    name = "footprint",
    description = {
      "Bytes of heap that an open call and an open stream take at each side, with the streams API",
      "and its actors, measured on two simulated nodes in this process."
    })
final class FootprintCommand extends Subcommand {
  private static final int LEAST = 2_000;
  private static final int MOST = 10_000_000;

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

  FootprintCommand(Screen screen) {
    super(screen);
  }

  @Override
  public Integer call() throws Exception {
    check("--streams", streams);
    check("--calls", calls);
    Progress progress = new Progress(screen(), System.nanoTime());
    List<Footprint.Result> results = new ArrayList<>();
    for (OpenKind kind : OpenKind.values()) {
      progress.show("opening " + kind.text(), System.nanoTime());
      results.add(Footprint.of(kind, kind == OpenKind.UNARY ? calls : streams));
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
    }
    return ExitCode.DONE;
  }

  private Map<String, Object> row(Footprint.Result result) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("pattern", result.kind().text());
    row.put("open", result.open());
    row.put("caller_bytes", result.clientBytes());
    row.put("server_bytes", result.serverBytes());
    return row;
  }

  private static void check(String name, int count) {
    if (count < LEAST || count > MOST) {
      throw CommandException.badArgument(
          name + " must be from " + LEAST + " to " + MOST + ", not " + count);
    }
  }
}
