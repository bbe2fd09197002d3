package io.millrace.api;

import io.millrace.testkit.sim.History;
import io.millrace.testkit.sim.Outcome;
import io.millrace.transfer.CallOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * The transfers, executions and results of all nodes, assembled from the nodes' logs after their
 * end, and checked against the same rules as simulated runs.
 */
final class TrafficRecord {
  /** One ended transfer, as seen by its caller. */
  record End(long id, int from, int to, CallOutcome outcome, String text) {
    Traffic.Kind kind() {
      return Traffic.kind(id);
    }
  }

  private final History history =
      new History(
          (rule, detail) -> {
            throw new AssertionError(rule + ": " + detail);
          });
  private final List<End> ends = new ArrayList<>();

  private record Line(int node, String[] words) {
    long id() {
      return Long.parseLong(words[1]);
    }

    long number(int word) {
      return Long.parseLong(words[word]);
    }
  }

  private TrafficRecord() {}

  /** Reads the logs of nodes 0 to {@code nodes - 1}; fails if the logs show a broken rule. */
  static TrafficRecord read(Path directory, int nodes) throws IOException {
    Map<String, List<Line>> lines = new HashMap<>();
    for (int node = 0; node < nodes; node++) {
      for (String text : Files.readAllLines(directory.resolve(node + ".log"))) {
        String[] words = text.split(" ", 4);
        lines.computeIfAbsent(words[0], key -> new ArrayList<>()).add(new Line(node, words));
        if (words[0].equals(TrafficLog.VIOLATED)) {
          throw new AssertionError("node " + node + ": " + text);
        }
      }
    }
    TrafficRecord record = new TrafficRecord();
    record.replay(lines);
    return record;
  }

  private void replay(Map<String, List<Line>> lines) {
    Map<Long, Integer> destinations = new HashMap<>();
    for (Line line : lines.getOrDefault(TrafficLog.SENT, List.of())) {
      int to = (int) line.number(2);
      destinations.put(line.id(), to);
      history.sent(line.id(), line.node, to, line.number(3));
    }
    for (Line line : lines.getOrDefault(TrafficLog.EXECUTED, List.of())) {
      history.executed(line.id(), line.node, line.number(2));
    }
    for (Line line : lines.getOrDefault(TrafficLog.RESOLVED, List.of())) {
      CallOutcome outcome = CallOutcome.valueOf(line.words[2]);
      history.resolved(line.id(), meaning(outcome), line.words[3]);
      int to = Objects.requireNonNull(destinations.get(line.id()));
      ends.add(new End(line.id(), line.node, to, outcome, line.words[3]));
    }
    if (!history.isSettled()) {
      throw new AssertionError("outcome totality: " + history.openWords());
    }
  }

  /**
   * Returns a caller's knowledge about a transfer with this outcome, when no side breaks the
   * transfer off on purpose.
   */
  private static Outcome meaning(CallOutcome outcome) {
    return switch (outcome) {
      case OK -> Outcome.DONE;
      case UNKNOWN_ROUTE,
          OVERLOADED,
          SHUTTING_DOWN,
          PAYLOAD_TOO_LARGE,
          HANDSHAKE_FAILED,
          PEER_UNREACHABLE,
          SUBMISSION_FULL ->
          Outcome.REJECTED;
      default -> Outcome.INDETERMINATE;
    };
  }

  /** Fails if a transfer from the first to the second node ended with another outcome. */
  void requireOnly(int from, int to, CallOutcome first, CallOutcome... more) {
    Set<CallOutcome> possible = EnumSet.of(first, more);
    for (End end : ends) {
      if (end.from == from && end.to == to && !possible.contains(end.outcome)) {
        throw new AssertionError("impossible outcome: " + end + " is none of " + possible);
      }
    }
  }

  /** Returns the number of transfers from the first to the second node, by kind and outcome. */
  Map<Traffic.Kind, Map<CallOutcome, Integer>> counts(int from, int to) {
    Map<Traffic.Kind, Map<CallOutcome, Integer>> counts = new TreeMap<>();
    for (End end : ends) {
      if (end.from == from && end.to == to) {
        counts
            .computeIfAbsent(end.kind(), kind -> new TreeMap<>())
            .merge(end.outcome, 1, Integer::sum);
      }
    }
    return counts;
  }

  /** Returns the number of failed transfers from the first to the second node. */
  long failed(int from, int to) {
    return ends.stream()
        .filter(end -> end.from == from && end.to == to && end.outcome != CallOutcome.OK)
        .count();
  }
}
