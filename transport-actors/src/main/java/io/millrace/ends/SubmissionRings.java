package io.millrace.ends;

import io.millrace.protocol.transfer.FrameQueue;
import io.millrace.transfer.CallOutcome;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The way from application threads to one worker: a bounded ring for each priority, drained first
 * level first. While a ring is full submissions wait behind it, at most as many again as all rings
 * hold. Those that come then wait in the node's {@link WaitingRoom}, and are taken after what the
 * rings hold; those that do not want to wait, or have no room there, are refused. What one thread
 * submits at one priority is taken in its order, and nothing submitted overtakes what waits and is
 * as urgent. No lock; allocates only for those that wait.
 */
public final class SubmissionRings {
  private static final VarHandle LEFT_BYTES;

  static {
    try {
      LEFT_BYTES =
          MethodHandles.lookup().findVarHandle(SubmissionRings.class, "leftBytes", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final String RINGS_FULL =
      "more calls wait for this worker than millrace.workers.submission-depth allows";
  private static final String NO_COMPLETION =
      "more calls are open than millrace.limits.executor-queue allows";
  private static final String ROOM_FULL =
      "more calls wait for room than millrace.limits.waiting-submissions allows";

  private final SubmissionRing[] rings = new SubmissionRing[FrameQueue.LEVELS];
  private final AtomicInteger overflowCount = new AtomicInteger();
  private final AtomicInteger refusals = new AtomicInteger();
  private final int overflowLimit;
  private final WaitingRoom room;
  private final WaitingLine line;

  /** Bytes of what came into the rings, ever. */
  private final LongAdder enteredBytes = new LongAdder();

  /** Bytes of what left them; written by whoever empties them, read by anyone. */
  private long leftBytes;

  private volatile @Nullable Refusal closed;
  private int turn;

  /** How everything ends from the close on. */
  private record Refusal(CallOutcome outcome, String text) {
    private void of(Submission submission) {
      submission.onRefused(outcome, text);
    }
  }

  /**
   * Rings of {@code depth} submissions each.
   *
   * @param room where those wait that do not fit
   * @param waker ends the worker's sleep when there is room for one of them
   */
  public SubmissionRings(int depth, WaitingRoom room, Runnable waker) {
    for (int level = 0; level < rings.length; level++) {
      rings[level] = new SubmissionRing(depth);
    }
    overflowLimit = depth * FrameQueue.LEVELS;
    this.room = room;
    line = new WaitingLine(room, waker);
  }

  /**
   * Submits from any thread; what cannot be taken is refused through {@link Submission#onRefused}.
   */
  public void submit(Submission submission) {
    String problem = submit(submission, null);
    if (problem != null) {
      submission.onRefused(CallOutcome.SUBMISSION_FULL, problem);
    }
  }

  /**
   * Submits from any thread what will be given to {@code lane} when it ends, whatever its end. It
   * has a place there from the time on at which it is taken or refused, and gives it back itself.
   *
   * @param lane where it needs a place, or null
   * @return null, or why there is no room for it: then it is told nothing and has no place
   */
  public @Nullable String submit(Submission submission, @Nullable ExecutorLane lane) {
    Refusal refusal = closed;
    if (refusal != null) {
      if (lane != null) {
        lane.places().take();
      }
      refusal.of(submission);
      return null;
    }
    String problem = enter(submission, lane);
    if (problem != null && room.isOpen() && submission.waitsForRoom()) {
      boolean waits = line.join(submission, lane == null ? null : lane.places());
      problem = waits ? null : ROOM_FULL;
    }
    if (problem != null) {
      return problem;
    }
    refusal = closed;
    if (refusal != null) {
      refuseAll(refusal);
    }
    return null;
  }

  /** Puts it into its ring unless something as urgent waits; says why there is no room, or null. */
  private @Nullable String enter(Submission submission, @Nullable ExecutorLane lane) {
    int priority = submission.priority();
    boolean isAnyWaiting = !room.isEmpty();
    if (isAnyWaiting && line.isAheadOf(priority)) {
      return RINGS_FULL;
    }
    if (lane != null && !reserve(lane, priority, isAnyWaiting)) {
      return NO_COMPLETION;
    }
    if (rings[priority].offer(submission) || offerOverflow(submission)) {
      onEntered(submission);
      return null;
    }
    if (lane != null) {
      lane.unreserve();
    }
    return RINGS_FULL;
  }

  private static boolean reserve(ExecutorLane lane, int priority, boolean isAnyWaiting) {
    return isAnyWaiting ? lane.places().tryTakeAt(priority) : lane.reserve();
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
    onEntered(submission);
    refusal = closed;
    if (refusal != null) {
      refuseAll(refusal);
    }
  }

  /**
   * Takes at most {@code limit} submissions, and one more when some wait behind full rings: however
   * much comes, those get on. At each level those of the waiting room come last. What taking one
   * throws goes to {@code onFault}, and the next is taken. Worker's thread only.
   */
  public int drain(int limit, long nowNs, Consumer<Throwable> onFault) {
    line.admit(nowNs, onFault);
    int taken = 0;
    for (int level = 0; level < rings.length; level++) {
      Submission submission;
      while (taken < limit && (submission = next(level)) != null) {
        take(submission, nowNs, onFault);
        taken++;
      }
    }
    line.endTurn();
    if (taken >= limit && overflowCount.get() > 0) {
      taken += takeOneOfFullRings(nowNs, onFault);
    }
    return taken;
  }

  private @Nullable Submission next(int level) {
    SubmissionRing ring = rings[level];
    Submission submission = poll(ring);
    // What its thread submitted before one that was admitted is in the ring, though perhaps behind
    // another thread's that is on its way there.
    return submission == null && line.firstLevel() == level && ring.isEmpty()
        ? line.poll()
        : submission;
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

  /** This node was drained: what waits for a place will be refused, so it needs none. Worker's. */
  public void onDrained() {
    line.onDrained();
  }

  /** Whether this node was drained, and takes no call of its own any more. Worker's thread. */
  public boolean isDrained() {
    return line.isDrained();
  }

  /** Whether nothing was submitted that can be taken now. On the worker's thread. */
  public boolean isEmpty() {
    for (SubmissionRing ring : rings) {
      if (!ring.isEmpty()) {
        return false;
      }
    }
    return !line.isReady();
  }

  /** Submissions that were not taken yet; any thread, a guess while others submit. */
  public int waiting() {
    int waiting = overflowCount.get() + line.size();
    for (SubmissionRing ring : rings) {
      waiting += ring.size();
    }
    return waiting;
  }

  /**
   * Bytes to be sent for what the rings hold; any thread, a guess while others submit. What waits
   * behind the rings does not count.
   */
  public long waitingBytes() {
    return Math.max(0, enteredBytes.sum() - (long) LEFT_BYTES.getOpaque(this));
  }

  private void onEntered(Submission submission) {
    long bytes = submission.loadBytes();
    if (bytes != 0) {
      enteredBytes.add(bytes);
    }
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
    if (submission != null) {
      LEFT_BYTES.setOpaque(this, leftBytes + submission.loadBytes());
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
    Submission waiting;
    while ((waiting = line.pollForEnd()) != null) {
      refusal.of(waiting);
    }
  }
}
