package io.millrace.samples.bench.start;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.samples.bench.start.StartProbe.Kind;
import io.millrace.samples.bench.start.StartProbe.Told;
import io.millrace.samples.process.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code millrace bench start}: the cost of nodes before their first byte, and at rest. */
public final class StartCommand {
  private static final int OK = 0;
  private static final int BAD_ARGUMENT = 2;

  /** Medians leave out the first starts, during which a young process compiles. */
  private static final int SETTLED = 10;

  private static final String USAGE =
      """
      millrace bench start [options]
        --nodes N           nodes of one process, started one after another (default 30, from 11 on)
        --idle N            resting nodes of one process (default 100; 0 leaves the row out)
        --load SECONDS      of load between two nodes, then at rest for up to 60 s (default 10; 0: none)
        --rest SECONDS      of counted rest, after 12 s of uncounted rest (default 20)
        --driver NAME       the driver of all nodes (default auto)
        --json              one JSON object on the last line
      Only Linux reports resident memory and wake-ups.\
      """;

  @Option(names = "--nodes")
  private int nodes = 30;

  @Option(names = "--idle")
  private int idle = 100;

  @Option(names = "--rest")
  private int restS = 20;

  @Option(names = "--load")
  private int loadS = 10;

  @Option(names = "--driver")
  private String driver = "auto";

  @Option(names = "--json")
  private boolean json;

  private StartCommand() {}

  /** The text that {@code --help} prints. */
  public static String usage() {
    return USAGE;
  }

  /**
   * Runs the command.
   *
   * @param args the arguments behind {@code bench start}
   * @param out receives the report
   * @param err receives progress, and one line when an argument is bad
   * @return the exit code: 0, or 2 when an argument is bad
   * @throws IOException if a child fails
   */
  public static int run(List<String> args, PrintStream out, PrintStream err)
      throws IOException, InterruptedException {
    StartCommand command = new StartCommand();
    try {
      new CommandLine(command).parseArgs(args.toArray(String[]::new));
    } catch (ParameterException e) {
      err.println("bench start: " + e.getMessage());
      return BAD_ARGUMENT;
    }
    if (command.nodes <= SETTLED || command.idle < 0 || command.loadS < 0 || command.restS < 1) {
      err.println(
          "bench start: --nodes must be more than 10, --idle and --load not negative,"
              + " --rest 1 or more");
      return BAD_ARGUMENT;
    }
    command.measure(out, err);
    return OK;
  }

  private void measure(PrintStream out, PrintStream err) throws IOException, InterruptedException {
    err.println("start: " + nodes + " nodes, each in an actor system of its own");
    Told own = child(Kind.OWN, nodes, 0);
    err.println("start: " + nodes + " nodes in one actor system");
    Told shared = child(Kind.SHARED, nodes, 0);
    Told resting = new Told(List.of(), List.of(), 0, 0);
    if (idle > 0) {
      err.println(
          "start: " + idle + " nodes that rest for " + (StartProbe.SETTLE_S + restS) + " s");
      resting = child(Kind.IDLE, idle, restS);
    }
    Told loaded = new Told(List.of(), List.of(), 0, 0);
    if (loadS > 0) {
      err.println(
          "start: two nodes under load, then at rest for up to " + StartProbe.GIVE_BACK_S + " s");
      loaded = child(Kind.LOAD, 2, loadS);
    }
    print(own, shared, resting, out);
    printLoaded(loaded, out);
    if (json) {
      out.println(new ObjectMapper().writeValueAsString(object(own, shared, resting, loaded)));
    }
  }

  private Told child(Kind kind, int count, int rest) throws IOException, InterruptedException {
    String heap = StartProbe.HEAP_MIB + "m";
    List<String> command =
        JavaCommand.likeThis("-Xms" + heap, "-Xmx" + heap, "-XX:+AlwaysPreTouch");
    command.add(StartProbe.class.getName());
    command.addAll(List.of(kind.name(), String.valueOf(count), String.valueOf(rest), driver));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader told =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      String line = told.readLine();
      if (line == null) {
        throw new IOException("the process of " + count + " nodes ended before all nodes started");
      }
      return new ObjectMapper().readValue(line, Told.class);
    } finally {
      process.destroy();
      process.waitFor();
    }
  }

  private void print(Told own, Told shared, Told resting, PrintStream out) {
    out.printf(
        Locale.ROOT,
        "%-38s %8s %12s %13s %10s %8s %12s %8s%n",
        hasAotCache() ? "with an AOT cache" : "without an AOT cache",
        "wall ms",
        "processor ms",
        "outside MiB",
        "heap KiB",
        "threads",
        "descriptors",
        "classes");
    row("first node of a process", own.nodes().getFirst(), out);
    row("node 10, actor system of its own", own.nodes().get(SETTLED - 1), out);
    row("node 10, shared actor system", shared.nodes().get(SETTLED - 1), out);
    row("actor system 10, empty", own.systems().get(SETTLED - 1), out);
    for (Map.Entry<String, Object> entry : summary(own, shared, resting).entrySet()) {
      out.printf(Locale.ROOT, "%-62s %10.2f%n", entry.getKey(), (Double) entry.getValue());
    }
  }

  private static void printLoaded(Told loaded, PrintStream out) {
    for (StartRow row : loaded.nodes()) {
      out.printf(
          Locale.ROOT,
          "%-62s %10.1f %10.1f%n",
          "two nodes, " + row.what() + at(row) + ": MiB outside the heap, live heap",
          row.outsideMib(),
          row.heapKib() / 1024.0);
    }
  }

  private static String at(StartRow row) {
    return row.what().equals("rested")
        ? String.format(Locale.ROOT, " %.0f s", row.wallMs() / 1e3)
        : "";
  }

  /** Whether this process and the children start from an AOT cache. */
  private static boolean hasAotCache() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .anyMatch(flag -> flag.startsWith("-XX:AOTCache="));
  }

  private static void row(String name, StartRow row, PrintStream out) {
    out.printf(
        Locale.ROOT,
        "%-38s %8.1f %12.1f %13.1f %10d %8d %12d %8d%n",
        name,
        row.wallMs(),
        row.processorMs(),
        row.outsideMib(),
        row.heapKib(),
        row.threads(),
        row.descriptors(),
        row.classes());
  }

  private static Map<String, Object> object(Told own, Told shared, Told resting, Told loaded) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("aot_cache", hasAotCache());
    object.put("own", own);
    object.put("shared", shared);
    object.put("resting", resting);
    object.put("loaded", loaded);
    object.put("summary", summary(own, shared, resting));
    return object;
  }

  private static Map<String, Object> summary(Told own, Told shared, Told resting) {
    Map<String, Object> figures = new LinkedHashMap<>();
    double empty = median(own.systems(), StartRow::processorMs);
    figures.put("processor ms of an empty actor system, median", empty);
    figures.put(
        "processor ms of a node above that, median",
        median(own.nodes(), StartRow::processorMs) - empty);
    figures.put(
        "processor ms of a node in a shared actor system, median",
        median(shared.nodes(), StartRow::processorMs));
    figures.put("MiB outside the heap a node, shared", slope(shared.nodes(), StartRow::outsideMib));
    figures.put("KiB of live heap a node, shared", slope(shared.nodes(), StartRow::heapKib));
    if (!resting.nodes().isEmpty()) {
      figures.put("nodes that rest", (double) resting.nodes().size());
      figures.put("processor of them all, % of a core", resting.idleProcessor() * 100);
      figures.put("wake-ups of them all, a second", resting.idleWakeUps());
      figures.put("threads of them all", (double) resting.nodes().getLast().threads());
    }
    return figures;
  }

  private static double median(List<StartRow> rows, ToDoubleFunction<StartRow> figure) {
    List<StartRow> settled = rows.subList(SETTLED, rows.size());
    double[] sorted = settled.stream().mapToDouble(figure).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  /** Growth a node, between the tenth and the last. */
  private static double slope(List<StartRow> rows, ToDoubleFunction<StartRow> figure) {
    StartRow first = rows.get(SETTLED - 1);
    StartRow last = rows.getLast();
    return (figure.applyAsDouble(last) - figure.applyAsDouble(first)) / (rows.size() - SETTLED);
  }
}
