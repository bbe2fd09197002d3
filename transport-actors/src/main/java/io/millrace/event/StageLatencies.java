package io.millrace.event;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The times of the stages of a worker's transfers, by pattern and by the application's priority.
 * The worker records; anyone reads. A histogram is made when the first time of its kind is
 * recorded.
 */
public final class StageLatencies {
  static final int PRIORITIES = 8;

  private static final LatencyStage[] STAGES = LatencyStage.values();
  private static final TransferPattern[] PATTERNS = TransferPattern.values();

  /** The number of kinds of times. */
  static final int KINDS = STAGES.length * PATTERNS.length * PRIORITIES;

  private final AtomicReferenceArray<LatencyCounts> kinds = new AtomicReferenceArray<>(KINDS);

  /**
   * Records a further time, in ns, of this kind; {@code pattern} and {@code priority} as in the
   * protocol.
   */
  public void record(LatencyStage stage, int pattern, int priority, long ns) {
    int kind = (stage.ordinal() * PATTERNS.length + pattern) * PRIORITIES + priority;
    LatencyCounts counts = kinds.getPlain(kind);
    if (counts == null) {
      counts = new LatencyCounts();
      kinds.setRelease(kind, counts);
    }
    counts.record(ns);
  }

  /** The times of a kind so far, or null before the first time. Any thread. */
  @Nullable LatencyCounts of(int kind) {
    return kinds.getAcquire(kind);
  }

  static LatencyStage stageOf(int kind) {
    return STAGES[kind / (PATTERNS.length * PRIORITIES)];
  }

  static TransferPattern patternOf(int kind) {
    return PATTERNS[kind / PRIORITIES % PATTERNS.length];
  }

  static int priorityOf(int kind) {
    return kind % PRIORITIES;
  }
}
