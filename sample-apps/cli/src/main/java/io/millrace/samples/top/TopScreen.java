package io.millrace.samples.top;

import io.millrace.samples.top.NodeFigures.Nic;
import io.millrace.samples.top.NodeFigures.Rates;
import io.millrace.samples.top.NodeFigures.Warning;
import io.millrace.samples.top.NodeFigures.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The screen of {@code top}: a block of lines for each node. Troubles are coloured, if wanted. */
public final class TopScreen {
  private static final double MUCH_LOST = 0.05;
  private static final double SOME_LOST = 0.01;
  private static final int MOST_PEERS = 10;
  private static final int MOST_WARNINGS = 6;
  private static final double THOUSAND = 1_000;
  private static final String[] MANY = {"", "k", "M", "G", "T"};
  private static final String[] TIMES = {"ns", "us", "ms", "s"};
  private static final String HEAD =
      String.format(
          Locale.ROOT,
          "%-22s %9s %9s %9s %9s %9s %9s %7s %9s",
          "NODE",
          "CALLS/s",
          "FAILED/s",
          "SERVED/s",
          "P50",
          "P99",
          "PKT/s",
          "LOSS %",
          "RETRANS/s");

  /** The look of a cell. */
  private enum Look {
    PLAIN(""),
    HEAD("\u001b[7m"),
    GOOD("\u001b[32m"),
    DOUBTFUL("\u001b[33m"),
    WRONG("\u001b[1;31m");

    private static final String END = "\u001b[0m";
    private final String start;

    Look(String start) {
      this.start = start;
    }
  }

  private final boolean isColoured;

  /** Whether to use colours. */
  public TopScreen(boolean isColoured) {
    this.isColoured = isColoured;
  }

  /** The lines of a screen, without a line's end. */
  public List<String> lines(List<WatchedNode> nodes) {
    List<String> lines = new ArrayList<>();
    lines.add(paint(Look.HEAD, HEAD));
    for (WatchedNode node : nodes) {
      String name = String.format(Locale.ROOT, "%-22s", node.address());
      NodeFigures figures = node.figures();
      if (node.isDown()) {
        lines.add(paint(Look.WRONG, name + " DOWN: " + node.failure()));
      } else if (figures == null) {
        lines.add(paint(Look.DOUBTFUL, name + " no figures yet"));
      } else {
        lines.add(node(name, figures));
        figures.workers().forEach(worker -> lines.add(worker(worker)));
        boolean isSpareLost = isSpareLost(figures.nics());
        figures.nics().forEach(nic -> lines.add(nic(nic, isSpareLost && nic.isUp())));
        peers(figures.peers(), lines);
        warnings(figures.warnings(), lines);
      }
    }
    return lines;
  }

  private String node(String name, NodeFigures figures) {
    Rates rates = figures.rates();
    return paint(Look.GOOD, name)
        + cell(Look.PLAIN, 9, many(rates.calls()))
        + cell(rates.failed() > 0 ? Look.WRONG : Look.PLAIN, 9, many(rates.failed()))
        + cell(Look.PLAIN, 9, many(rates.served()))
        + cell(Look.PLAIN, 9, time(figures.latency().p50()))
        + cell(Look.PLAIN, 9, time(figures.latency().p99()))
        + cell(Look.PLAIN, 9, many(rates.packets()))
        + cell(
            loss(rates.lostPart()), 7, String.format(Locale.ROOT, "%.2f", rates.lostPart() * 100))
        + cell(Look.PLAIN, 9, many(rates.retransmitted()));
  }

  private static Look loss(double part) {
    if (part >= MUCH_LOST) {
      return Look.WRONG;
    }
    return part >= SOME_LOST ? Look.DOUBTFUL : Look.PLAIN;
  }

  private String worker(Worker worker) {
    return "  worker "
        + String.format(Locale.ROOT, "%-6s", worker.id())
        + (worker.isUp() ? "" : paint(Look.WRONG, " STOPPED"))
        + String.format(
            Locale.ROOT,
            "  calls/s %-7s served/s %-7s pkt/s tx %-7s rx %-7s under way %sB  of it unsent %sB "
                + " paths %d",
            many(worker.calls()),
            many(worker.served()),
            many(worker.packetsSent()),
            many(worker.packetsReceived()),
            many((double) worker.loadBytes()),
            many((double) worker.waitingBytes()),
            worker.paths());
  }

  /** Returns whether there are several NICs, and only a single NIC works. */
  private static boolean isSpareLost(List<Nic> nics) {
    return nics.size() > 1 && nics.stream().filter(Nic::isUp).count() == 1;
  }

  private String nic(Nic nic, boolean isLast) {
    String drops = "  drops/s " + many(nic.drops());
    return "  nic    "
        + String.format(Locale.ROOT, "%-6s", nic.name())
        + (nic.isUp() ? " up  " : paint(Look.WRONG, " DOWN"))
        + String.format(
            Locale.ROOT, "  tx %sB/s  rx %sB/s", many(nic.sentBytes()), many(nic.receivedBytes()))
        + (nic.drops() > 0 ? paint(Look.DOUBTFUL, drops) : drops)
        + (isLast ? paint(Look.DOUBTFUL, "  the last that is up") : "");
  }

  private void peers(Map<String, String> peers, List<String> lines) {
    peers.entrySet().stream()
        .limit(MOST_PEERS)
        .forEach(
            each ->
                lines.add(
                    paint(
                        each.getValue().equals("DEGRADED") ? Look.DOUBTFUL : Look.WRONG,
                        "  peer   " + each.getKey() + " " + each.getValue())));
    if (peers.size() > MOST_PEERS) {
      lines.add("  and " + (peers.size() - MOST_PEERS) + " more peers that are not healthy");
    }
  }

  private void warnings(List<Warning> warnings, List<String> lines) {
    warnings.stream()
        .limit(MOST_WARNINGS)
        .forEach(
            each -> {
              String line =
                  String.format(
                      Locale.ROOT,
                      "  %-6s %s: %d since it started%s",
                      each.isError() ? "error" : "warn",
                      each.kind(),
                      each.count(),
                      each.fresh() > 0 ? ", of these just now " + each.fresh() : "");
              lines.add(each.fresh() > 0 ? paint(fresh(each), line) : line);
            });
  }

  private static Look fresh(Warning warning) {
    return warning.isError() ? Look.WRONG : Look.DOUBTFUL;
  }

  private String cell(Look look, int width, String text) {
    return " " + paint(look, " ".repeat(Math.max(0, width - text.length())) + text);
  }

  private String paint(Look look, String text) {
    return isColoured && look != Look.PLAIN ? look.start + text + Look.END : text;
  }

  /** Returns about three digits, such as {@code 41.2k}. */
  private static String many(double value) {
    double rest = value;
    int unit = 0;
    while (rest >= THOUSAND - 0.5 && unit < MANY.length - 1) {
      rest /= THOUSAND;
      unit++;
    }
    return String.format(
            Locale.ROOT,
            rest == 0 || rest >= 100 || (unit == 0 && rest >= 10) ? "%.0f" : "%.1f",
            rest)
        + MANY[unit];
  }

  private static String time(double seconds) {
    if (seconds == 0) {
      return "-";
    }
    double rest = seconds * 1e9;
    int unit = 0;
    while (rest >= THOUSAND && unit < TIMES.length - 1) {
      rest /= THOUSAND;
      unit++;
    }
    return String.format(Locale.ROOT, rest >= 100 ? "%.0f%s" : "%.1f%s", rest, TIMES[unit]);
  }
}
