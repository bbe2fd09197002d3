package io.millrace.samples.bench.burst;

import io.millrace.samples.bench.burst.link.LinkChange;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Changes the bottleneck for the middle third of the ideal time of a round, as the options tell: a
 * third of the rate, or a share of lost packets. Does nothing without such an option. The caller
 * passes time in; one thread.
 */
final class MiddleThird {
  private static final int PARTS = 3;

  private final BurstOptions options;
  private final Laboratory laboratory;
  private final long fromNs;
  private final long untilNs;
  private long changedNs;
  private long backNs;

  /** The phases of the link. */
  private enum Phase {
    BEFORE,
    CHANGED,
    AFTER
  }

  private Phase phase = Phase.BEFORE;

  /** A round that starts at {@code startNs}, {@link System#nanoTime}. */
  MiddleThird(BurstOptions options, Laboratory laboratory, long startNs, int sizeBytes) {
    this.options = options;
    this.laboratory = laboratory;
    long thirdNs = options.idealNs(sizeBytes) / PARTS;
    fromNs = startNs + thirdNs;
    untilNs = fromNs + thirdNs;
  }

  private boolean isWanted() {
    return options.step || options.stepLossPercent > 0;
  }

  /** Changes what is due; called every so often. */
  void onTime(long nowNs) throws IOException, InterruptedException {
    if (phase == Phase.BEFORE && isWanted() && nowNs >= fromNs) {
      change(options.step ? options.rate / PARTS : options.rate, options.stepLossPercent);
      changedNs = System.nanoTime();
      phase = Phase.CHANGED;
    } else if (phase == Phase.CHANGED && nowNs >= untilNs) {
      back();
    }
  }

  /** The round is over; the link gets back its rate and its losses. */
  void end() throws IOException, InterruptedException {
    if (phase == Phase.CHANGED) {
      back();
    }
  }

  private void back() throws IOException, InterruptedException {
    change(options.rate, options.lossPercent);
    backNs = System.nanoTime();
    phase = Phase.AFTER;
  }

  private void change(long bitsPerSecond, double lossPercent)
      throws IOException, InterruptedException {
    if (options.step) {
      laboratory.changeRate(bitsPerSecond);
    }
    if (options.stepLossPercent > 0) {
      laboratory.changeLoss(lossPercent);
    }
  }

  /** The finished change; null if the link has not changed and come back. */
  @Nullable LinkChange change() {
    return phase == Phase.AFTER
        ? new LinkChange(
            changedNs, backNs, options.rate, options.step ? options.rate / PARTS : options.rate)
        : null;
  }
}
