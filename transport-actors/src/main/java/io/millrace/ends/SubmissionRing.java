package io.millrace.ends;

import io.millrace.queue.ManyToOneQueue;
import io.millrace.queue.OneToOneQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The way to a worker at one priority: a bounded ring, and a queue behind the ring for submissions
 * that did not fit. Submissions of the worker's own thread have a shorter ring ahead, which needs
 * no atomic operation. The submissions of a thread are taken in the thread's order, in a ring or
 * behind. No lock; allocates only for submissions that wait behind.
 */
final class SubmissionRing {
  private static final int OWN_DEPTH = 512;

  private final OneToOneQueue<Submission> own;
  private final ManyToOneQueue<Submission> ring;
  private final ConcurrentLinkedQueue<Submission> behind = new ConcurrentLinkedQueue<>();

  SubmissionRing(int depth) {
    own = new OneToOneQueue<>(Math.min(depth, OWN_DEPTH));
    ring = new ManyToOneQueue<>(depth);
  }

  /**
   * False if the ring is full or a submission waits behind the ring, which must not be overtaken.
   */
  boolean offer(Submission submission) {
    return behind.isEmpty() && ring.offer(submission);
  }

  /**
   * Offers a submission of the worker's own thread; false while any other submission waits, which
   * must not be overtaken for ever, or if the thread has submitted too many.
   */
  boolean offerOwn(Submission submission) {
    return ring.isEmpty() && behind.isEmpty() && own.offer(submission);
  }

  void addBehind(Submission submission) {
    behind.add(submission);
  }

  boolean hasBehind() {
    return !behind.isEmpty();
  }

  boolean isEmpty() {
    return own.isEmpty() && ring.isEmpty() && behind.isEmpty();
  }

  int size() {
    return own.size() + ring.size();
  }

  /** The next submission from the rings, or null. A single thread at a time. */
  @Nullable Submission poll() {
    Submission first = own.poll();
    return first == null ? ring.poll() : first;
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
