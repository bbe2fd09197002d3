package io.millrace.samples.overload;

import io.millrace.api.CallException;
import io.millrace.transfer.CallOutcome;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/** Counts the calls of one priority in the measured time of a run. */
final class LevelCount {
  private static final int INITIAL = 1_024;

  private final int priority;
  private final Map<CallOutcome, Integer> failed = new EnumMap<>(CallOutcome.class);
  private long[] tookNs = new long[INITIAL];
  private int offered;
  private int completed;
  private int retryAfter;

  LevelCount(int priority) {
    this.priority = priority;
  }

  int priority() {
    return priority;
  }

  void onOffered() {
    offered++;
  }

  void onCompleted(long lastedNs) {
    if (completed == tookNs.length) {
      tookNs = Arrays.copyOf(tookNs, 2 * completed);
    }
    tookNs[completed++] = lastedNs;
  }

  void onFailed(CallException failure) {
    failed.merge(failure.outcome(), 1, Integer::sum);
  }

  OverloadResult.Level result() {
    long[] sorted = Arrays.copyOf(tookNs, completed);
    Arrays.sort(sorted);
    return new OverloadResult.Level(
        priority, offered, completed, failed, retryAfter, part(sorted, 0.5), part(sorted, 0.99));
  }

  private static long part(long[] sorted, double part) {
    return sorted.length == 0 ? 0 : sorted[(int) (part * (sorted.length - 1))];
  }
}
