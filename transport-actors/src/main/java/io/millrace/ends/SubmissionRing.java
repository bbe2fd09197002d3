package io.millrace.ends;

import java.util.concurrent.ConcurrentLinkedQueue;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * The way to a worker at one priority: a bounded ring, and a queue behind the ring for submissions
 * that did not fit. The submissions of a thread are taken in the thread's order, in the ring or
 * behind. No lock; allocates only for submissions that wait behind.
 */
final class SubmissionRing {
  private final ManyToOneConcurrentArrayQueue<Submission> ring;
  private final ConcurrentLinkedQueue<Submission> behind = new ConcurrentLinkedQueue<>();

  SubmissionRing(int depth) {
    ring = new ManyToOneConcurrentArrayQueue<>(depth);
  }

  /**
   * False if the ring is full or a submission waits behind the ring, which must not be overtaken.
   */
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

  /** The next submission from the ring, or null. A single thread at a time. */
  @Nullable Submission poll() {
    return ring.poll();
  }

  /**
   * The next submission from behind the ring; null while the ring has any submission, perhaps an
   * earlier submission of the same thread. A single thread at a time.
   */
  @Nullable Submission pollBehind() {
    // In this order: earlier submissions of the same thread are in the ring once this submission is
    // seen.
    return behind.peek() != null && ring.isEmpty() ? behind.poll() : null;
  }
}
