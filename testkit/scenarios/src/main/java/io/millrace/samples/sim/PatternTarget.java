package io.millrace.samples.sim;

import io.millrace.transfer.BodyTarget;
import java.io.IOException;
import java.util.function.Consumer;

/** Checks the bytes of a planned call on arrival; fails in the middle if the plan says so. */
final class PatternTarget implements BodyTarget {
  /** The end of a body. */
  enum End {
    /** No end yet. */
    OPEN,
    /** Whole. */
    COMPLETE,
    /** Broken off. */
    ABORTED
  }

  private final Pattern pattern;
  private final PlannedCall call;
  private final Consumer<String> violations;
  private final Runnable onComplete;
  private Runnable resume = () -> {};
  private long at;
  private End end = End.OPEN;

  /**
   * A target.
   *
   * @param violations receives each fault
   * @param onComplete runs when all bytes are there
   */
  PatternTarget(
      Pattern pattern, PlannedCall call, Consumer<String> violations, Runnable onComplete) {
    this.pattern = pattern;
    this.call = call;
    this.violations = violations;
    this.onComplete = onComplete;
  }

  End end() {
    return end;
  }

  @Override
  public boolean waitsForDevice() {
    return call.id() % 3 == 0;
  }

  @Override
  public void start(Runnable toResume) {
    resume = toResume;
  }

  @Override
  public boolean isCancelled() {
    return call.fate() == PlannedCall.Fate.CANCELLED && at >= call.breakAt();
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    requireOpen("written to");
    if (!pattern.matches(call.id(), at, bytes, offset, length)) {
      violations.accept("wrong bytes from " + at + " on");
    }
    at += length;
    if (at > call.bytes()) {
      violations.accept(at + " bytes came");
    }
    if (call.fate() == PlannedCall.Fate.TARGET_FAILS && at >= call.breakAt()) {
      throw new IOException("does not take it on purpose");
    }
    if (isCancelled()) {
      resume.run();
    }
  }

  @Override
  public void complete() {
    requireOpen("completed");
    end = End.COMPLETE;
    if (at != call.bytes()) {
      violations.accept("complete with " + at + " bytes");
    }
    onComplete.run();
  }

  @Override
  public void abort(Throwable cause) {
    requireOpen("aborted");
    end = End.ABORTED;
  }

  private void requireOpen(String what) {
    if (end != End.OPEN) {
      violations.accept(what + " after it was " + end);
    }
  }
}
