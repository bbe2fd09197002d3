package io.millrace.loop;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** A duty cycle that follows a test's commands and remembers its calls. */
class RecordingCycle implements DutyCycle {
  final List<Long> turnsNs = new ArrayList<>();
  final List<Throwable> failures = new ArrayList<>();
  LongUnaryOperator work = nowNs -> 0;
  boolean hasWork;
  long deadlineNs = NO_DEADLINE_NS;
  int @Nullable [] arrivals;
  volatile boolean asked;
  int closed;

  @Override
  public int doWork(long nowNs) {
    turnsNs.add(nowNs);
    return (int) work.applyAsLong(nowNs);
  }

  @Override
  public boolean hasWork() {
    return hasWork;
  }

  @Override
  public long nextDeadlineNs() {
    return deadlineNs;
  }

  @Override
  public int @Nullable [] arrivalDescriptors() {
    asked = true;
    return arrivals;
  }

  @Override
  public void onClose() {
    closed++;
  }

  @Override
  public void onCycleFailed(Throwable cause) {
    failures.add(cause);
  }
}
