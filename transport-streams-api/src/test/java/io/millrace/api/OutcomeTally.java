package io.millrace.api;

import io.millrace.transfer.CallOutcome;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** How calls ended, by outcome; calls that did not end in a minute are counted, too. Any thread. */
final class OutcomeTally {
  private static final long PATIENCE_S = 60;

  private final AtomicLongArray counts = new AtomicLongArray(CallOutcome.values().length);
  private final LongAdder unanswered = new LongAdder();

  /** Waits until the call has ended and counts it; null if it did not end well. */
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

  /** All of these together, as text. */
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

  /** The part of all calls that ended well, from 0 to 1; 1 if there was none. */
  double share() {
    long total = total();
    return total == 0 ? 1 : (double) count(CallOutcome.OK) / total;
  }

  /** Calls that ended neither well nor with OVERLOADED, those included that did not end. */
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
