package io.millrace.samples.cli;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/** A chain of calls under way. Any thread. */
final class ChainRun {
  private final CompletableFuture<Void> end = new CompletableFuture<>();
  private final int count;
  private final long startNs;
  private int ended;
  private int failed;
  private int firstFailed = Integer.MAX_VALUE;
  private String firstFailure = "";
  private long elapsedNs;

  ChainRun(int count, long startNs) {
    this.count = count;
    this.startNs = startNs;
  }

  /** A call of the chain has ended; returns whether the answer was right. */
  boolean onEnd(int number, @Nullable ByteString answer, @Nullable Throwable failure) {
    if (failure != null) {
      onFailed(number, Sentence.of(failure));
      return false;
    }
    if (answer == null
        || answer.length() != Integer.BYTES
        || ByteBuffer.wrap(answer.toArrayUnsafe()).getInt() != number + 1) {
      onFailed(number, "call " + number + " of a chain got the answer of another call");
      return false;
    }
    onEnded(1);
    return true;
  }

  /** This number of calls is not sent, because a call before has failed. */
  void onUnsent(int unsent) {
    synchronized (this) {
      failed += unsent;
    }
    onEnded(unsent);
  }

  /** The first failure in the chain is the cause of the later failures. */
  private void onFailed(int number, String sentence) {
    synchronized (this) {
      failed++;
      if (number < firstFailed) {
        firstFailed = number;
        firstFailure = sentence;
      }
    }
    onEnded(1);
  }

  private void onEnded(int calls) {
    boolean isLast;
    synchronized (this) {
      ended += calls;
      isLast = ended == count;
      if (isLast) {
        elapsedNs = System.nanoTime() - startNs;
      }
    }
    if (isLast) {
      end.complete(null);
    }
  }

  /** Completes when all calls have ended. */
  CompletableFuture<Void> end() {
    return end;
  }

  synchronized int ended() {
    return ended;
  }

  /** Returns the number of failed calls, including the calls not sent because of a failure. */
  synchronized int failed() {
    return failed;
  }

  /** Returns the message of the first failed call in the chain, or empty. */
  synchronized String firstFailure() {
    return firstFailure;
  }

  /** From the first call to the last answer. */
  synchronized long elapsedNs() {
    return elapsedNs;
  }
}
