package io.millrace.samples.store;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Ranges as one text for a column: {@code key,offset,length} separated by semicolons. */
final class RangesText {
  private RangesText() {}

  static String of(KeyedRanges ranges) {
    return ranges.ranges().stream()
        .map(range -> range.key() + "," + range.offset() + "," + range.length())
        .collect(Collectors.joining(";"));
  }

  static KeyedRanges parse(String text) {
    return new KeyedRanges(
        Arrays.stream(text.split(";"))
            .filter(range -> !range.isEmpty())
            .map(range -> range.split(","))
            .map(
                part ->
                    new KeyedRanges.Range(
                        part[0], Long.parseLong(part[1]), Long.parseLong(part[2])))
            .toList());
  }
}
