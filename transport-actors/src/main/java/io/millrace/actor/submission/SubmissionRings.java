package io.millrace.actor.submission;

import io.millrace.protocol.transfer.CallOutcome;
import io.millrace.protocol.transfer.FrameQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The way from application threads to one worker: a bounded ring for each priority, drained first
 * level first. While a ring is full submissions wait behind it, at most as many again as all rings
 * hold; then they are refused. What one thread submits at one priority is taken in its order. No
 * lock; allocates only for those that wait.
 */
public final class SubmissionRings {
  private final SubmissionRing[] rings = new SubmissionRing[FrameQueue.LEVELS];
  private final AtomicInteger overflowCount = new AtomicInteger();
  private final AtomicInteger refusals = new AtomicInteger();
  private final int overflowLimit;
  private volatile @Nullable Refusal closed;
  private int turn;

  /** How everything ends from the close on. */
  private record Refusal(CallOutcome outcome, String text) {
    private void of(Submission submission) {
      submission.onRefused(outcome, text);
    }
  }

  /** Rings of {@code depth} submissions each. */
  public SubmissionRings(int depth) {
    for (int level = 0; level < rings.length; level++) {
      rings[level] = new SubmissionRing(depth);
    }
    overflowLimit = depth * FrameQueue.LEVELS;
  }

  /**
   * Submits from any thread; what cannot be taken is refused through {@link Submission#onRefused}.
   */
  public void submit(Submission submission) {
    Refusal refusal = closed;
    if (refusal != null) {
      refusal.of(submission);
      return;
    }
    if (!rings[submission.priority()].offer(submission) && !offerOverflow(submission)) {
      submission.onRefused(
          CallOutcome.SUBMISSION_FULL,
          "more calls wait for this worker than millrace.workers.submission-depth allows");
      return;
    }
    refusal = closed;
    if (refusal != null) {
      refuseAll(refusal);
    }
  }

  /**
   * Gives back what the worker itself handed out (an answer, a region, a sealed part). It is
   * refused only after close: what is handed out is bounded, so this is bounded too. Any thread.
   */
  public void giveBack(Submission submission) {
    Refusal refusal = closed;
    if (refusal != null) {
      refusal.of(submission);
      return;
    }
    SubmissionRing ring = rings[submission.priority()];
    if (!ring.offer(submission)) {
      overflowCount.incrementAndGet();
      ring.addBehind(submission);
    }
    refusal = closed;
    if (refusal != null) {
      refuseAll(refusal);
    }
  }

  /**
   * Takes at most {@code limit} submissions, and one more when some wait behind full rings: however
   * much comes, those get on. What taking one throws goes to {@code onFault}, and the next is
   * taken. Worker's thread only.
   */
  public int drain(int limit, long nowNs, Consumer<Throwable> onFault) {
    int taken = 0;
    for (SubmissionRing ring : rings) {
      Submission submission;
      while (taken < limit && (submission = poll(ring)) != null) {
        take(submission, nowNs, onFault);
        taken++;
      }
    }
    if (taken >= limit && overflowCount.get() > 0) {
      taken += takeOneOfFullRings(nowNs, onFault);
    }
    return taken;
  }

  /** From those in turn, so that none waits for the end of what goes first. */
  private int takeOneOfFullRings(long nowNs, Consumer<Throwable> onFault) {
    for (int i = 0; i < rings.length; i++) {
      turn = (turn + 1) % rings.length;
      SubmissionRing ring = rings[turn];
      Submission submission = ring.hasBehind() ? poll(ring) : null;
      if (submission != null) {
        take(submission, nowNs, onFault);
        return 1;
      }
    }
    return 0;
  }

  /** Whether nothing was submitted that was not taken. */
  public boolean isEmpty() {
    for (SubmissionRing ring : rings) {
      if (!ring.isEmpty()) {
        return false;
      }
    }
    return true;
  }

  /** Submissions that were not taken yet; any thread, a guess while others submit. */
  public int waiting() {
    int waiting = overflowCount.get();
    for (SubmissionRing ring : rings) {
      waiting += ring.size();
    }
    return waiting;
  }

  /** Refuses all that wait and all that comes. Once closed they stay so, for the first reason. */
  public void close(CallOutcome outcome, String text) {
    Refusal refusal = closed;
    if (refusal == null) {
      refusal = new Refusal(outcome, text);
      closed = refusal;
    }
    refuseAll(refusal);
  }

  private boolean offerOverflow(Submission submission) {
    if (overflowCount.incrementAndGet() > overflowLimit) {
      overflowCount.decrementAndGet();
      return false;
    }
    rings[submission.priority()].addBehind(submission);
    return true;
  }

  private static void take(Submission submission, long nowNs, Consumer<Throwable> onFault) {
    try {
      submission.onTaken(nowNs);
    } catch (RuntimeException | Error e) { // the rest of the turn serves other peers
      onFault.accept(e);
    }
  }

  private @Nullable Submission poll(SubmissionRing ring) {
    Submission submission = ring.poll();
    if (submission == null) {
      submission = ring.pollBehind();
      if (submission != null) {
        overflowCount.decrementAndGet();
      }
    }
    return submission;
  }

  /**
   * After close the worker is gone, so whoever comes first empties the rings, for all others too.
   */
  private void refuseAll(Refusal refusal) {
    if (refusals.getAndIncrement() != 0) {
      return;
    }
    int seen = 1;
    while (seen != 0) {
      refuseWaiting(refusal);
      seen = refusals.addAndGet(-seen);
    }
  }

  private void refuseWaiting(Refusal refusal) {
    for (SubmissionRing ring : rings) {
      Submission submission;
      while ((submission = poll(ring)) != null) {
        refusal.of(submission);
      }
    }
  }
}
