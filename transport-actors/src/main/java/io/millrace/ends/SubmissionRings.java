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
 * level first. While a ring is full, submissions wait behind the ring, at most as many again as all
 * rings hold. Later submissions wait in the node's {@link WaitingRoom}, and are taken after the
 * submissions of the rings; submissions that do not want to wait, or find no room there, are
 * refused. The submissions of a thread at a priority are taken in the thread's order, and no
 * submission overtakes a waiting submission of equal urgency. No lock; allocates only for waiting
 * submissions.
 */
public final class SubmissionRings {
  private static final VarHandle OWN_BYTES;
  private static final VarHandle LEFT_BYTES;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      OWN_BYTES = lookup.findVarHandle(SubmissionRings.class, "ownBytes", long.class);
      LEFT_BYTES = lookup.findVarHandle(SubmissionRings.class, "leftBytes", long.class);
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

  /** Bytes of all submissions that ever came into the rings from other threads. */
  private final LongAdder enteredBytes = new LongAdder();

  /** Bytes of all submissions of the worker's own thread, which alone writes this field. */
  private long ownBytes;

  /**
   * Bytes of all submissions that left the rings; written by the thread that empties the rings,
   * read by any thread.
   */
  private long leftBytes;

  private volatile @Nullable Refusal closed;
  private int turn;

  /** The end of everything from the close on. */
  private record Refusal(CallOutcome outcome, String text) {
    private void of(Submission submission) {
      submission.onRefused(outcome, text);
    }
  }

  /**
   * Rings of {@code depth} submissions each.
   *
   * @param room the room for submissions that do not fit
   * @param waker ends the worker's sleep when a waiting submission has room
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
   * Submits from any thread; a submission without room is refused through {@link
   * Submission#onRefused}.
   */
  public void submit(Submission submission) {
    String problem = submit(submission, null);
    if (problem != null) {
      submission.onRefused(CallOutcome.SUBMISSION_FULL, problem);
    }
  }

  /**
   * Submits as {@link #submit(Submission)}, from the worker's own thread: without an atomic
   * operation unless other submissions wait.
   */
  public void submitOwn(Submission submission) {
    boolean isIn =
        closed == null && room.isEmpty() && rings[submission.priority()].offerOwn(submission);
    if (!isIn) {
      submit(submission);
      return;
    }
    OWN_BYTES.setOpaque(this, ownBytes + submission.loadBytes());
    Refusal refusal = closed;
    if (refusal != null) {
      refuseAll(refusal);
    }
  }

  /**
   * Submits from any thread a submission whose end, good or bad, will be given to {@code lane}. The
   * submission has a place in the lane from the moment when it is taken or refused, and gives the
   * place back itself.
   *
   * @param lane the lane that the submission needs a place in, or null
   * @return null, or the reason of missing room: then the submission is told nothing and has no
   *     place
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

  /**
   * Puts the submission into its ring unless an equally urgent submission waits; returns the reason
   * of missing room, or null.
   */
  private @Nullable String enter(Submission submission, @Nullable ExecutorLane lane) {
    int priority = submission.priority();
    boolean isAnyWaiting = !room.isEmpty();
    if (isAnyWaiting && line.isAheadOf(priority)) {
      return RINGS_FULL;
    }
    if (lane != null && !reserve(lane.places(), priority, isAnyWaiting)) {
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

  /** A place that is taken past the waiting submissions of other levels ends a turn, too. */
  private boolean reserve(CompletionPlaces places, int priority, boolean isAnyWaiting) {
    if (!isAnyWaiting) {
      return places.tryTake();
    }
    if (!places.tryTakeAt(priority, room.firstLevel())) {
      return false;
    }
    room.endTurn();
    // Another line may be first in the next turn.
    places.wakeFirst();
    return true;
  }

  /**
   * Gives back an object that the worker itself handed out (an answer, a region, a sealed part).
   * The submission is refused only after close: the number of handed-out objects is bounded, so
   * these submissions are bounded too. Any thread.
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
   * Takes at most {@code limit} submissions, and a further submission when some wait behind full
   * rings: under any load, the submissions behind get on. Beyond the limit each further level has
   * the least part that the waiting room gives. At each level the submissions of the waiting room
   * come last. An exception from a submission's taking goes to {@code onFault}, and the next
   * submission is taken. Worker's thread only.
   */
  public int drain(int limit, long nowNs, Consumer<Throwable> onFault) {
    line.admit(nowNs, onFault);
    int taken = takeByPriority(limit, nowNs, onFault);
    line.endTurn();
    if (taken >= limit && overflowCount.get() > 0) {
      taken += takeOneOfFullRings(nowNs, onFault);
    }
    return taken;
  }

  private int takeByPriority(int limit, long nowNs, Consumer<Throwable> onFault) {
    int taken = 0;
    int before;
    do {
      before = taken;
      for (int level = 0; level < rings.length; level++) {
        boolean isFull = taken >= limit;
        int most = isFull ? room.leastOf(limit) : limit - taken;
        taken += take(level, most, nowNs, onFault);
      }
      // The turn of a less urgent level ends the turns of the levels before.
    } while (taken > before && taken < limit && line.isReady());
    return taken;
  }

  private int take(int level, int most, long nowNs, Consumer<Throwable> onFault) {
    int taken = 0;
    Submission submission;
    while (taken < most && (submission = next(level)) != null) {
      take(submission, nowNs, onFault);
      taken++;
    }
    return taken;
  }

  private @Nullable Submission next(int level) {
    SubmissionRing ring = rings[level];
    Submission submission = poll(ring);
    // Earlier submissions of an admitted submission's thread are in the ring, though perhaps behind
    // another thread's submission on its way into the ring.
    return submission == null && line.firstLevel() == level && ring.isEmpty()
        ? line.poll(level)
        : submission;
  }

  /** From the full rings in turn, so that no ring waits for the end of a more urgent ring. */
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

  /**
   * This node was drained: submissions that wait for a place will be refused, so they need no
   * place. Worker's.
   */
  public void onDrained() {
    line.onDrained();
  }

  /** Whether this node was drained, and takes no call of its own any more. Worker's thread. */
  public boolean isDrained() {
    return line.isDrained();
  }

  /** Whether the worker has no submission to take now. On the worker's thread. */
  public boolean isEmpty() {
    for (SubmissionRing ring : rings) {
      if (!ring.isEmpty()) {
        return false;
      }
    }
    return !line.isReady();
  }

  /** Submissions that were not taken yet; any thread, a guess while other threads submit. */
  public int waiting() {
    int waiting = overflowCount.get() + line.size();
    for (SubmissionRing ring : rings) {
      waiting += ring.size();
    }
    return waiting;
  }

  /**
   * Bytes to be sent for the submissions in the rings; any thread, a guess while other threads
   * submit. Submissions behind the rings do not count.
   */
  public long waitingBytes() {
    long entered = enteredBytes.sum() + (long) OWN_BYTES.getOpaque(this);
    return Math.max(0, entered - (long) LEFT_BYTES.getOpaque(this));
  }

  private void onEntered(Submission submission) {
    long bytes = submission.loadBytes();
    if (bytes != 0) {
      enteredBytes.add(bytes);
    }
  }

  /**
   * Refuses all waiting and all future submissions. Once closed the rings stay closed, for the
   * first reason.
   */
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
   * After close the worker is gone, so the first thread that comes empties the rings, for all other
   * threads too.
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
