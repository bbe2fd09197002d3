package io.millrace.event;

import java.util.List;

/** The present counts of one worker. Any thread; a late value does no harm. */
public interface WorkerProbe {
  /** The worker's id. */
  int worker();

  /** The worker's counts since its start. */
  WorkerCounts counts();

  /** The present value of a gauge. */
  long gauge(Gauge gauge);

  /** The times of the stages of the worker's transfers since its start. */
  StageLatencies latencies();

  /** The worker's open paths, up to {@code most}. */
  List<PathProbe> paths(int most);

  /**
   * The traffic of the worker's NICs since its start; the same NICs in the same order each time.
   */
  List<NicTraffic> nics();
}
