package io.millrace.ends;

import java.util.concurrent.ConcurrentLinkedQueue;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * The way to one worker at one priority: a bounded ring, and a queue behind it for what did not
 * fit. What one thread submits is taken in its order, wherever it waited. No lock; allocates only
 * for those that wait behind.
 */
final class SubmissionRing {
  private final ManyToOneConcurrentArrayQueue<Submission> ring;
  private final ConcurrentLinkedQueue<Submission> behind = new ConcurrentLinkedQueue<>();

  SubmissionRing(int depth) {
    ring = new ManyToOneConcurrentArrayQueue<>(depth);
  }

  /** False if the ring is full or something waits behind it, which must not be overtaken. */
  boolean offer(Submission submission) {
    return behind.isEmpty() && ring.offer(submission);
  }

  void addBehind(Submission submission) {
    behind.add(submission);
  }

  boolean hasBehind() {
    return !behind.isEmpty();
  }

  boolean isEmpty() {
    return ring.isEmpty() && behind.isEmpty();
  }

  int size() {
    return ring.size();
  }

  /** The next one from the ring, or null. One thread at a time. */
  @Nullable Submission poll() {
    return ring.poll();
  }

  /**
   * The next one from behind the ring; null while the ring has anything, which may have come before
   * it from the same thread. One thread at a time.
   */
  @Nullable Submission pollBehind() {
    // In this order: what its thread put into the ring before is in the ring once this one is seen.
    return behind.peek() != null && ring.isEmpty() ? behind.poll() : null;
  }
}
