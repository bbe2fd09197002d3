package io.millrace.api;

import io.millrace.transfer.BodyTarget;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/** Compares the bytes that come with those that it knows, and tells how it ends. */
final class KnownTarget implements BodyTarget {
  /** Ends of a target. */
  enum End {
    /** Whole. */
    COMPLETE,
    /** Broken off. */
    ABORTED
  }

  private final long id;
  private final long bytes;
  private final BiConsumer<String, String> violations;
  private final Runnable onComplete;
  private final CompletableFuture<End> end = new CompletableFuture<>();
  private volatile long position;

  /**
   * A target.
   *
   * @param id whose bytes
   * @param bytes how many
   * @param violations told the rule that is broken, and how
   * @param onComplete told when all bytes are there, or should be
   */
  KnownTarget(long id, long bytes, BiConsumer<String, String> violations, Runnable onComplete) {
    this.id = id;
    this.bytes = bytes;
    this.violations = violations;
    this.onComplete = onComplete;
  }

  /** Bytes so far. */
  long position() {
    return position;
  }

  /** Completes when it has ended. */
  CompletableFuture<End> end() {
    return end;
  }

  @Override
  public void write(byte[] from, int offset, int length) {
    requireOpen("written to");
    long at = position;
    if (!KnownBytes.matches(id, at, from, offset, length)) {
      violations.accept("integrity", "body " + id + " has wrong bytes from " + at + " on");
    }
    position = at + length;
  }

  @Override
  public void complete() {
    requireOpen("completed");
    if (position != bytes) {
      violations.accept("integrity", "body " + id + " is complete with " + position + " bytes");
    }
    onComplete.run();
    end.complete(End.COMPLETE);
  }

  @Override
  public void abort(Throwable cause) {
    requireOpen("aborted");
    end.complete(End.ABORTED);
  }

  private void requireOpen(String what) {
    if (end.isDone()) {
      violations.accept("truth", "body " + id + " was " + what + " after it was " + end.join());
    }
  }
}
