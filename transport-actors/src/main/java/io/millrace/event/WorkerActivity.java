package io.millrace.event;

import java.util.Arrays;
import java.util.List;

/**
 * The activity of one worker in an interval. Immutable. Intervals of a subscriber follow each other
 * without a gap: the sum of all intervals is the activity since the subscription.
 */
public final class WorkerActivity {
  private final Span span;
  private final Figures figures;
  private final List<NicTraffic> nics;
  private final List<PathActivity> paths;

  /**
   * The worker and the time of an interval.
   *
   * @param worker the worker's id
   * @param startNs of the interval, by the node's clock
   * @param endNs of the interval
   * @param eventsDropped data events of this worker that the subscriber was too slow for
   */
  record Span(int worker, long startNs, long endNs, long eventsDropped) {}

  /**
   * The figures of an interval, in arrays that nobody changes any more.
   *
   * @param counts by {@link Count}
   * @param gauges by {@link Gauge}, at the end of the interval
   * @param latencies the times of each kind that has at least 1 time
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

  /** The end of the interval, ns of the node's clock. */
  public long endNs() {
    return span.endNs();
  }

  /** The number of these happenings in the interval. */
  public long count(Count count) {
    return figures.counts()[count.ordinal()];
  }

  /** The value of this gauge at the end of the interval. */
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

  /**
   * The times of the stages of transfers, for each pattern and priority with at least 1 time so
   * far.
   */
  public List<LatencyActivity> latencies() {
    return figures.latencies();
  }

  /** The traffic of the worker's NICs in the interval. */
  public List<NicTraffic> nics() {
    return nics;
  }

  /** The events on the worker's open paths, limited to the first thousand paths. */
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
