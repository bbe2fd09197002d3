package io.millrace.api;

import io.millrace.transfer.CallOutcome;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The number of calls by outcome, with a count of calls without an end after a minute. Any thread.
 */
final class OutcomeTally {
  private static final long PATIENCE_S = 60;

  private final AtomicLongArray counts = new AtomicLongArray(CallOutcome.values().length);
  private final LongAdder unanswered = new LongAdder();

  /** Waits for the end of the call and counts the outcome; returns null for a failed call. */
  byte @Nullable [] await(Call<UnaryResponse> call) throws InterruptedException {
    try {
      byte[] answer = call.get(PATIENCE_S, TimeUnit.SECONDS).payload();
      counts.incrementAndGet(CallOutcome.OK.ordinal());
      return answer;
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof CallException known)) {
        throw new IllegalStateException(e);
      }
      counts.incrementAndGet(known.outcome().ordinal());
    } catch (TimeoutException e) {
      unanswered.increment();
    }
    return null;
  }

  long count(CallOutcome outcome) {
    return counts.get(outcome.ordinal());
  }

  long total() {
    long total = unanswered.sum();
    for (int i = 0; i < counts.length(); i++) {
      total += counts.get(i);
    }
    return total;
  }

  /** Returns the sum of these tallies, as text. */
  static String sum(List<OutcomeTally> all) {
    OutcomeTally sum = new OutcomeTally();
    for (OutcomeTally each : all) {
      sum.unanswered.add(each.unanswered.sum());
      for (int i = 0; i < sum.counts.length(); i++) {
        sum.counts.addAndGet(i, each.counts.get(i));
      }
    }
    return sum.toString();
  }

  /** Returns the share of successful calls, from 0 to 1; 1 without calls. */
  double share() {
    long total = total();
    return total == 0 ? 1 : (double) count(CallOutcome.OK) / total;
  }

  /**
   * Returns the number of calls that neither succeeded nor ended with OVERLOADED, calls without an
   * end included.
   */
  long others() {
    return total() - count(CallOutcome.OK) - count(CallOutcome.OVERLOADED);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (CallOutcome outcome : CallOutcome.values()) {
      if (count(outcome) > 0) {
        text.append(outcome).append('=').append(count(outcome)).append(' ');
      }
    }
    return text.append("unanswered=").append(unanswered.sum()).toString();
  }
}
