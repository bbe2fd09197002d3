package io.millrace.samples.cli;

import io.millrace.testkit.internal.drawn.Drawn;
import io.millrace.testkit.internal.drawn.FaultKind;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Reports the draws of many runs' generators, for people and programs. */
final class DrawnReport {
  private static final int MOST_RARE = 5;

  private final Drawn drawn;

  DrawnReport(Drawn drawn) {
    this.drawn = drawn;
  }

  /** A pair of faults, and the number of runs with the pair. */
  private record Pair(FaultKind first, FaultKind second, long runs) {
    String text() {
      return first.text() + " then " + second.text();
    }
  }

  private List<FaultKind> kinds() {
    return List.of(FaultKind.values()).stream().filter(kind -> drawn.faults(kind) > 0).toList();
  }

  /** Returns the pairs of all kinds that came at all, the rarest first. */
  private List<Pair> pairs() {
    List<Pair> pairs = new ArrayList<>();
    for (FaultKind first : kinds()) {
      for (FaultKind second : kinds()) {
        pairs.add(new Pair(first, second, drawn.pairs(first, second)));
      }
    }
    pairs.sort(Comparator.comparingLong(Pair::runs));
    return pairs;
  }

  void print(PrintStream out) {
    Map<String, Integer> settings = drawn.settings();
    long varied = settings.values().stream().filter(values -> values > 1).count();
    out.printf(Locale.ROOT, "  settings drawn: %d, %d of them vary%n", settings.size(), varied);
    if (!drawn.patterns().isEmpty()) {
      out.println("  patterns, by runs: " + counts(drawn.patterns()));
    }
    List<Pair> pairs = pairs();
    if (!pairs.isEmpty()) {
      out.println("  faults, by runs: " + counts(faults()));
      long met = pairs.stream().filter(pair -> pair.runs() > 0).count();
      String rarest =
          pairs.stream()
              .limit(MOST_RARE)
              .map(pair -> pair.text() + " " + pair.runs())
              .collect(Collectors.joining(", "));
      out.printf(
          Locale.ROOT, "  pairs of faults: %d of %d; rarest: %s%n", met, pairs.size(), rarest);
    }
  }

  private static String counts(Map<String, Long> runs) {
    return runs.entrySet().stream()
        .map(each -> each.getKey() + " " + each.getValue())
        .collect(Collectors.joining(", "));
  }

  private Map<String, Long> faults() {
    Map<String, Long> faults = new LinkedHashMap<>();
    kinds().forEach(kind -> faults.put(kind.text(), drawn.faults(kind)));
    return faults;
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("settings", drawn.settings());
    json.put("patterns", drawn.patterns());
    json.put("faults", faults());
    Map<String, Object> pairs = new LinkedHashMap<>();
    pairs().forEach(pair -> pairs.put(pair.text(), pair.runs()));
    json.put("pairs", pairs);
    return json;
  }
}
