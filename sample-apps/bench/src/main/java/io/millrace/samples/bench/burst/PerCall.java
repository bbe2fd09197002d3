package io.millrace.samples.bench.burst;

import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The kernel's work for each call, by side.
 *
 * @param counters packets on the link, context switches and derived keys of a call, by side and
 *     name
 * @param systemCalls system calls of a call, by side and name; empty if nobody counted
 */
record PerCall(Map<String, Double> counters, Map<String, Double> systemCalls) {
  private static final List<String> SHOWN =
      List.of(
          SideCounters.PACKETS,
          SideCounters.VOLUNTARY,
          SideCounters.INVOLUNTARY,
          SideCounters.KEYS);
  private static final double LEAST = 0.005;

  /** Divides what both sides counted by the number of calls. */
  static PerCall of(Map<String, Long> counters, Map<String, Long> systemCalls, int calls) {
    Map<String, Long> shown = new LinkedHashMap<>();
    for (String side : List.of(SideCounters.RECEIVER, SideCounters.SENDERS)) {
      SHOWN.forEach(name -> shown.put(side + name, counters.getOrDefault(side + name, 0L)));
    }
    return new PerCall(divide(shown, calls), divide(systemCalls, calls));
  }

  /** The same counters with the system calls of another round. */
  PerCall with(PerCall other) {
    return new PerCall(counters, other.systemCalls);
  }

  private static Map<String, Double> divide(Map<String, Long> counts, int calls) {
    Map<String, Double> each = new LinkedHashMap<>();
    counts.forEach((name, count) -> each.put(name, (double) count / Math.max(1, calls)));
    return each;
  }

  /** The fields of the JSON report. */
  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>(counters);
    json.putAll(systemCalls);
    return json;
  }

  /** Prints a line for each side. */
  void print(String name, PrintStream out) {
    out.println("each call, " + name + ":");
    for (String side : List.of(SideCounters.RECEIVER, SideCounters.SENDERS)) {
      out.printf(
          "  %-8s %.2f packets sent, %.2f and %.2f context switches (voluntary, not)%s%s%n",
          side.substring(0, side.length() - 1),
          counters.get(side + SideCounters.PACKETS),
          counters.get(side + SideCounters.VOLUNTARY),
          counters.get(side + SideCounters.INVOLUNTARY),
          list("; ", side, false),
          list("; waits: ", side, true));
    }
  }

  private String list(String start, String side, boolean isWait) {
    String prefix = side + SystemCalls.CALLS;
    String list =
        systemCalls.entrySet().stream()
            .filter(each -> each.getKey().startsWith(prefix) && each.getValue() >= LEAST)
            .filter(each -> SystemCalls.isWait(each.getKey().substring(prefix.length())) == isWait)
            .map(
                each ->
                    "%.2f %s".formatted(each.getValue(), each.getKey().substring(prefix.length())))
            .collect(Collectors.joining(", "));
    return list.isEmpty() ? "" : start + list;
  }
}
