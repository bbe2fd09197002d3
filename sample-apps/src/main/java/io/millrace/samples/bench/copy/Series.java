package io.millrace.samples.bench.copy;

import java.util.List;

/**
 * What a process held over time, MiB.
 *
 * @param values at equal distances in time
 */
record Series(List<Long> values) {
  private static final String BARS = "▁▂▃▄▅▆▇█";
  private static final int COLUMNS = 40;
  private static final int UNSETTLED_SHARE = 4;
  private static final double FLAT = 1.1;

  Series {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("nothing was read of a process");
    }
    values = List.copyOf(values);
  }

  long most() {
    return values.stream().mapToLong(Long::longValue).max().orElseThrow();
  }

  /** Of the values after the first quarter, in which a process loads classes and fills its heap. */
  long median() {
    List<Long> sorted = settled().stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }

  /** Whether after the first quarter it never was a tenth above its median. */
  boolean isFlat() {
    double most = FLAT * median();
    return settled().stream().allMatch(value -> value <= most);
  }

  private List<Long> settled() {
    return values.subList(values.size() / UNSETTLED_SHARE, values.size());
  }

  /** A plot in one line, from zero to the most. */
  String plot() {
    StringBuilder plot = new StringBuilder();
    int columns = Math.min(COLUMNS, values.size());
    for (int i = 0; i < columns; i++) {
      long value = values.get((int) ((long) i * values.size() / columns));
      plot.append(BARS.charAt((int) (value * (BARS.length() - 1) / Math.max(1, most()))));
    }
    return plot.toString();
  }
}
