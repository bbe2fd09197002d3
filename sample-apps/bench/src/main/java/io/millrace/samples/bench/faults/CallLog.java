package io.millrace.samples.bench.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The finished calls of a run, and the figures that follow from these calls.
 *
 * @param calls the calls, in the order of their ends
 */
record CallLog(List<Entry> calls) {
  /** The value for a missing time or duration. */
  static final long NEVER = -1;

  private static final String TAB = "\t";

  /**
   * A call.
   *
   * @param error the error text, empty if the call succeeded
   */
  record Entry(long beginNs, long endNs, String error) {
    boolean isOk() {
      return error.isEmpty();
    }
  }

  /** The first call that failed after the fault. */
  Optional<Entry> firstFailed(long faultNs) {
    return since(faultNs).filter(call -> !call.isOk()).findFirst();
  }

  /** The number of failed calls, by the first word of the error. */
  Map<String, Integer> failed(long faultNs) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    since(faultNs)
        .filter(call -> !call.isOk())
        .forEach(call -> counts.merge(call.error().split("[: ]", 2)[0], 1, Integer::sum));
    return counts;
  }

  /** The duration of the longest call that succeeded after the fault. */
  long longestOkNs(long faultNs) {
    return since(faultNs)
        .filter(Entry::isOk)
        .mapToLong(call -> call.endNs() - call.beginNs())
        .max()
        .orElse(NEVER);
  }

  /**
   * The longest time without a success after the fault; the last such time ends at {@code untilNs}.
   */
  long longestStallNs(long faultNs, long untilNs) {
    long longestNs = 0;
    long lastNs = faultNs;
    for (Entry call : since(faultNs).filter(Entry::isOk).toList()) {
      longestNs = Math.max(longestNs, call.endNs() - lastNs);
      lastNs = call.endNs();
    }
    return Math.max(longestNs, untilNs - lastNs);
  }

  /**
   * The end of the first success after the healing whose beginning lies behind the beginning of the
   * last failed call.
   */
  long recoveredNs(long healedNs) {
    long lastFailedNs =
        calls.stream()
            .filter(call -> !call.isOk())
            .mapToLong(Entry::beginNs)
            .max()
            .orElse(Long.MIN_VALUE);
    return since(healedNs)
        .filter(call -> call.isOk() && call.beginNs() > lastFailedNs)
        .mapToLong(Entry::endNs)
        .findFirst()
        .orElse(NEVER);
  }

  /** The number of successes in each span of this length, up to the last whole span. */
  List<Integer> okEach(long fromNs, long untilNs, long spanNs) {
    int[] counts = new int[(int) Math.max(0, (untilNs - fromNs) / spanNs)];
    for (Entry call : since(fromNs).filter(Entry::isOk).toList()) {
      int span = (int) ((call.endNs() - fromNs) / spanNs);
      if (span < counts.length) {
        counts[span]++;
      }
    }
    return Arrays.stream(counts).boxed().toList();
  }

  private Stream<Entry> since(long fromNs) {
    return calls.stream().filter(call -> call.endNs() - fromNs >= 0);
  }

  /** Leaves all in a file, a call a line. */
  void write(Path file) throws IOException {
    Files.write(
        file,
        calls.stream()
            .map(call -> call.beginNs() + TAB + call.endNs() + TAB + oneLine(call.error()))
            .toList());
  }

  /** Reads a file of {@link #write}. */
  static CallLog read(Path file) throws IOException {
    List<Entry> calls = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      String[] words = line.split(TAB, 3);
      calls.add(new Entry(Long.parseLong(words[0]), Long.parseLong(words[1]), words[2]));
    }
    return new CallLog(calls);
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\s+", " ");
  }
}
