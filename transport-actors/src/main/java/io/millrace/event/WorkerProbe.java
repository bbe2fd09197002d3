package io.millrace.event;

import java.util.List;

/** Where one worker's counts stand. Any thread; a late value does no harm. */
public interface WorkerProbe {
  /** The worker's id. */
  int worker();

  /** What it counted since it started. */
  WorkerCounts counts();

  /** What stands at a value. */
  long gauge(Gauge gauge);

  /** How long the stages of its transfers took since it started. */
  StageLatencies latencies();

  /** Its open paths, up to so many. */
  List<PathProbe> paths(int most);

  /** What its NICs carried since it started; the same NICs in the same order each time. */
  List<NicTraffic> nics();
}
