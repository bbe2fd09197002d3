package io.millrace.samples.cli;

import org.HdrHistogram.AbstractHistogram;

/**
 * Decides which completions count: the completions between the end of the warm-up and the end of
 * the run. Several slots share a histogram, which must therefore suit the completing threads.
 */
final class LoadWindow {
  /** One minute; a longer call is recorded as one minute. */
  static final long LONGEST_NS = 60_000_000_000L;

  /** Significant digits of the latencies. */
  static final int DIGITS = 3;

  private final long fromNs;
  private final long untilNs;
  private volatile boolean cut;

  LoadWindow(long fromNs, long untilNs) {
    this.fromNs = fromNs;
    this.untilNs = untilNs;
  }

  /** Returns whether no further calls may start. */
  boolean isOver(long nowNs) {
    return cut || nowNs - untilNs >= 0;
  }

  /** Ends the run before its time. */
  void cut() {
    cut = true;
  }

  void record(AbstractHistogram latencies, long sentNs, long nowNs) {
    if (nowNs - fromNs >= 0 && nowNs - untilNs < 0) {
      latencies.recordValue(Math.min(nowNs - sentNs, LONGEST_NS));
    }
  }
}
