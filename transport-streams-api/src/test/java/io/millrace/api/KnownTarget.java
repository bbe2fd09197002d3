package io.millrace.api;

import io.millrace.transfer.BodyTarget;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/** A target that compares the received bytes with the known bytes, and reports its end. */
final class KnownTarget implements BodyTarget {
  /** The ends of a target. */
  enum End {
    /** Completed with all bytes. */
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
   * Creates a target.
   *
   * @param id the owner of the bytes
   * @param bytes the number of bytes
   * @param violations gets each broken rule, with the details
   * @param onComplete runs when the target completes, with or without all bytes
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

  /** Returns the end of the target as a future. */
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
