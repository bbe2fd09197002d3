package io.millrace.actor.submission;

import io.millrace.protocol.transfer.CallOutcome;
import io.millrace.protocol.transfer.FrameQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * The way from application threads to one worker: a bounded ring for each priority, drained first
 * level first. While a ring is full submissions wait behind it, at most as many again as all rings
 * hold; then they are refused. No lock; allocates only for those that wait.
 */
public final class SubmissionRings {
  private final ManyToOneConcurrentArrayQueue<Submission>[] rings;
  private final ConcurrentLinkedQueue<Submission> overflow = new ConcurrentLinkedQueue<>();
  private final AtomicInteger overflowCount = new AtomicInteger();
  private final AtomicInteger refusals = new AtomicInteger();
  private final int overflowLimit;
  private volatile boolean closed;

  /** Rings of {@code depth} submissions each. */
  @SuppressWarnings({"unchecked", "rawtypes"}) // generic array
  public SubmissionRings(int depth) {
    rings = new ManyToOneConcurrentArrayQueue[FrameQueue.LEVELS];
    for (int level = 0; level < rings.length; level++) {
      rings[level] = new ManyToOneConcurrentArrayQueue<>(depth);
    }
    overflowLimit = depth * FrameQueue.LEVELS;
  }

  /**
   * Submits from any thread; what cannot be taken is refused through {@link Submission#onRefused}.
   */
  public void submit(Submission submission) {
    if (closed) {
      submission.onRefused(CallOutcome.CLOSED, "the transport is closed");
      return;
    }
    if (!rings[submission.priority()].offer(submission) && !offerOverflow(submission)) {
      submission.onRefused(
          CallOutcome.SUBMISSION_FULL,
          "more calls wait for this worker than millrace.workers.submission-depth allows");
      return;
    }
    if (closed) {
      refuseAll();
    }
  }

  /**
   * Gives back what the worker itself handed out (an answer, a region, a sealed part). It is
   * refused only after close: what is handed out is bounded, so this is bounded too. Any thread.
   */
  public void giveBack(Submission submission) {
    if (closed) {
      submission.onRefused(CallOutcome.CLOSED, "the transport is closed");
      return;
    }
    if (!rings[submission.priority()].offer(submission)) {
      overflowCount.incrementAndGet();
      overflow.add(submission);
    }
    if (closed) {
      refuseAll();
    }
  }

  /**
   * Takes at most {@code limit} submissions, and one more when some wait behind full rings: however
   * much comes, those get on. What taking one throws goes to {@code onFault}, and the next is
   * taken. Worker's thread only.
   */
  public int drain(int limit, long nowNs, Consumer<Throwable> onFault) {
    int taken = 0;
    for (ManyToOneConcurrentArrayQueue<Submission> ring : rings) {
      Submission submission;
      while (taken < limit && (submission = ring.poll()) != null) {
        take(submission, nowNs, onFault);
        taken++;
      }
    }
    if (overflowCount.get() > 0) {
      taken += drainOverflow(Math.max(1, limit - taken), nowNs, onFault);
    }
    return taken;
  }

  /** Whether nothing was submitted that was not taken. */
  public boolean isEmpty() {
    for (ManyToOneConcurrentArrayQueue<Submission> ring : rings) {
      if (!ring.isEmpty()) {
        return false;
      }
    }
    return overflowCount.get() == 0;
  }

  /** Submissions that were not taken yet; any thread, a guess while others submit. */
  public int waiting() {
    int waiting = overflowCount.get();
    for (ManyToOneConcurrentArrayQueue<Submission> ring : rings) {
      waiting += ring.size();
    }
    return waiting;
  }

  /** Refuses all that wait and all that comes. */
  public void close() {
    closed = true;
    refuseAll();
  }

  private boolean offerOverflow(Submission submission) {
    if (overflowCount.incrementAndGet() > overflowLimit) {
      overflowCount.decrementAndGet();
      return false;
    }
    overflow.add(submission);
    return true;
  }

  private static void take(Submission submission, long nowNs, Consumer<Throwable> onFault) {
    try {
      submission.onTaken(nowNs);
    } catch (RuntimeException | Error e) { // the rest of the turn serves other peers
      onFault.accept(e);
    }
  }

  private int drainOverflow(int limit, long nowNs, Consumer<Throwable> onFault) {
    int taken = 0;
    Submission submission;
    while (taken < limit && (submission = pollOverflow()) != null) {
      take(submission, nowNs, onFault);
      taken++;
    }
    return taken;
  }

  private @Nullable Submission pollOverflow() {
    Submission submission = overflow.poll();
    if (submission != null) {
      overflowCount.decrementAndGet();
    }
    return submission;
  }

  /**
   * After close the worker is gone, so whoever comes first empties the rings, for all others too.
   */
  private void refuseAll() {
    if (refusals.getAndIncrement() != 0) {
      return;
    }
    int seen = 1;
    while (seen != 0) {
      refuseWaiting();
      seen = refusals.addAndGet(-seen);
    }
  }

  private void refuseWaiting() {
    for (ManyToOneConcurrentArrayQueue<Submission> ring : rings) {
      Submission submission;
      while ((submission = ring.poll()) != null) {
        submission.onRefused(CallOutcome.CLOSED, "the transport is closed");
      }
    }
    Submission submission;
    while ((submission = pollOverflow()) != null) {
      submission.onRefused(CallOutcome.CLOSED, "the transport is closed");
    }
  }
}
