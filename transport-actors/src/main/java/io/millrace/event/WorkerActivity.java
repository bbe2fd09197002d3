package io.millrace.event;

import java.util.Arrays;
import java.util.List;

/**
 * What one worker did in an interval. Immutable. Intervals of one subscriber follow each other
 * without a gap: the sum of all is what happened since it subscribed.
 */
public final class WorkerActivity {
  private final Span span;
  private final Figures figures;
  private final List<NicTraffic> nics;
  private final List<PathActivity> paths;

  /**
   * Of which worker and when.
   *
   * @param worker its id
   * @param startNs of the interval, by the node's clock
   * @param endNs of the interval
   * @param eventsDropped data events of this worker that the subscriber was too slow for
   */
  record Span(int worker, long startNs, long endNs, long eventsDropped) {}

  /**
   * Arrays that nobody changes any more.
   *
   * @param counts by {@link Count}
   * @param gauges by {@link Gauge}, at the end of the interval
   * @param latencies of the kinds of which there were any
   */
  record Figures(long[] counts, long[] gauges, List<LatencyActivity> latencies) {}

  /** Takes the arrays over. */
  WorkerActivity(Span span, Figures figures, List<NicTraffic> nics, List<PathActivity> paths) {
    this.span = span;
    this.figures = figures;
    this.nics = List.copyOf(nics);
    this.paths = List.copyOf(paths);
  }

  /** The worker's id. */
  public int worker() {
    return span.worker();
  }

  /** When the interval began, ns of the node's clock. */
  public long startNs() {
    return span.startNs();
  }

  /** When it ended, ns of the node's clock. */
  public long endNs() {
    return span.endNs();
  }

  /** How often it happened in the interval. */
  public long count(Count count) {
    return figures.counts()[count.ordinal()];
  }

  /** What it stood at when the interval ended. */
  public long gauge(Gauge gauge) {
    return figures.gauges()[gauge.ordinal()];
  }

  /** Transfers that ended after a time of this bucket of {@link LatencyCounts}. */
  public long latencies(int bucket) {
    long sum = 0;
    for (LatencyActivity each : figures.latencies()) {
      sum += each.stage() == LatencyStage.TRANSFER ? each.count(bucket) : 0;
    }
    return sum;
  }

  /** How long the stages of transfers took, for each pattern and priority that there ever was. */
  public List<LatencyActivity> latencies() {
    return figures.latencies();
  }

  /** What the worker's NICs carried in the interval. */
  public List<NicTraffic> nics() {
    return nics;
  }

  /** What happened on its open paths, of which the first thousand are told. */
  public List<PathActivity> paths() {
    return paths;
  }

  /** Data events of the interval that the subscriber was too slow for. */
  public long eventsDropped() {
    return span.eventsDropped();
  }

  @Override
  public String toString() {
    return "worker "
        + worker()
        + " in "
        + (endNs() - startNs())
        + " ns: "
        + Arrays.toString(figures.counts());
  }
}
