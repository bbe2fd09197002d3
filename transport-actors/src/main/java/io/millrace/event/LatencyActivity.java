package io.millrace.event;

/** The times of one stage of the transfers of one pattern and priority in an interval. */
public final class LatencyActivity {
  private final int kind;
  private final long[] counts;

  /** Takes the array over: counts by bucket of {@link LatencyCounts}. */
  LatencyActivity(int kind, long[] counts) {
    this.kind = kind;
    this.counts = counts;
  }

  /** The stage that took the time. */
  public LatencyStage stage() {
    return StageLatencies.stageOf(kind);
  }

  /** The pattern of the transfers. */
  public TransferPattern pattern() {
    return StageLatencies.patternOf(kind);
  }

  /** The priority of the transfers, 0 to 7. */
  public int priority() {
    return StageLatencies.priorityOf(kind);
  }

  /** How many took a time of this bucket of {@link LatencyCounts}. */
  public long count(int bucket) {
    return counts[bucket];
  }
}
