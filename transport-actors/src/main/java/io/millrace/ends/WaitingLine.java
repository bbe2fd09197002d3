package io.millrace.ends;

import io.millrace.protocol.transfer.FrameQueue;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The submissions in a {@link WaitingRoom} to a worker, in the order of their priorities, and of
 * their arrival within each priority. Each priority has the least part of the turns that the room
 * gives. Any thread joins. The worker admits new arrivals, takes the first submission when room is
 * free, and lets go of leaving submissions, so these operations need no lock and no
 * compare-and-set. No submission passes a submission that waits for a place of its completion.
 */
final class WaitingLine implements CompletionPlaces.Seeker {
  /** Most submissions that a turn admits; further submissions wait for the next turn. */
  private static final int ADMITTED_PER_TURN = 4_096;

  private final WaitingRoom room;
  private final Runnable waker;
  private final AtomicIntegerArray waiting = new AtomicIntegerArray(FrameQueue.LEVELS);
  private final AtomicReference<WaitingPlace> lastArrived;

  /** The last admitted place: later arrivals are linked behind this place. */
  private WaitingPlace lastAdmitted;

  private final @Nullable WaitingPlace[] firsts = new @Nullable WaitingPlace[FrameQueue.LEVELS];
  private final @Nullable WaitingPlace[] lasts = new @Nullable WaitingPlace[FrameQueue.LEVELS];

  /** A bit for each level with a waiting submission. */
  private int levels;

  /** Order of the first submission, after a vain request for a place. */
  private volatile long wanted = CompletionPlaces.NOBODY;

  private @Nullable CompletionPlaces asked;
  private boolean isDrained;

  /** An empty line; {@code waker} has the line's worker look at the line. */
  WaitingLine(WaitingRoom room, Runnable waker) {
    this.room = room;
    this.waker = waker;
    lastAdmitted = new WaitingPlace(this, 0, null, null);
    lastArrived = new AtomicReference<>(lastAdmitted);
  }

  /** Submissions in the line; any thread, a guess while other threads join. */
  int size() {
    int size = 0;
    for (int level = 0; level < FrameQueue.LEVELS; level++) {
      size += waiting.get(level);
    }
    return size;
  }

  /** Whether an equally urgent submission waits. Any thread. */
  boolean isAheadOf(int priority) {
    for (int level = 0; level <= priority; level++) {
      if (waiting.get(level) != 0) {
        return true;
      }
    }
    return false;
  }

  /** Joins the line. Any thread; false if the room is full. */
  boolean join(Submission submission, @Nullable CompletionPlaces completions) {
    if (!room.enter()) {
      return false;
    }
    int priority = submission.priority();
    waiting.incrementAndGet(priority);
    if (completions != null) {
      completions.onSeeking(priority);
    }
    WaitingPlace place = new WaitingPlace(this, room.order(priority), submission, completions);
    // Until this place is linked the worker does not see later places; the worker is woken then.
    lastArrived.getAndSet(place).arrivedNext = place;
    return true;
  }

  /** Lets new arrivals line up. On the worker's thread. */
  void admit(long nowNs, Consumer<Throwable> onFault) {
    WaitingPlace place;
    for (int i = 0; i < ADMITTED_PER_TURN && (place = nextArrived()) != null; i++) {
      append(place);
      Submission submission = place.submission();
      if (submission != null) {
        try {
          submission.onAdmitted(place, nowNs);
        } catch (RuntimeException | Error e) { // the other submissions must line up, too
          onFault.accept(e);
        }
      }
    }
  }

  /**
   * The level of the submission whose turn it is; {@link Integer#SIZE} if nobody waits. On the
   * worker's thread.
   */
  int firstLevel() {
    int due = levels == 0 ? 0 : room.firstLevel();
    return (levels & 1 << due) != 0 ? due : Integer.numberOfTrailingZeros(levels);
  }

  /**
   * Takes the first submission of this level; null without a submission or without a place for its
   * completion. The caller names the level, because the turn may have ended since {@link
   * #firstLevel}: all workers share the turns. Worker's thread.
   */
  @Nullable Submission poll(int level) {
    WaitingPlace first = firsts[level];
    if (first == null || !takeCompletion(first)) {
      return null;
    }
    Submission submission = remove(first);
    room.endTurn();
    if (first.completions != null) {
      // Another line may be first in the next turn.
      first.completions.wakeFirst();
    }
    return submission;
  }

  /** The worker has taken all submissions of this turn. */
  void endTurn() {
    if (wanted != CompletionPlaces.NOBODY) {
      settle();
    }
  }

  /** Whether the worker could do something for the line. On the worker's thread. */
  boolean isReady() {
    if (lastAdmitted.arrivedNext != null) {
      return true;
    }
    WaitingPlace first = first();
    return first != null
        && (first.completions == null
            || isDrained
            || first.completions.isFreeFor(room.orderNow(first.order)));
  }

  /**
   * The taking worker will refuse all waiting submissions, so that they need no place. Worker's
   * thread.
   */
  void onDrained() {
    isDrained = true;
  }

  /** Whether {@link #onDrained} was called. Worker's thread. */
  boolean isDrained() {
    return isDrained;
  }

  /** Gives up a place of this line. On the worker's thread. */
  boolean leave(WaitingPlace place) {
    remove(place);
    if (place.completions != null) {
      place.completions.take();
    }
    endTurn();
    return true;
  }

  /** Takes everything out, for the end of the worker. A single thread at a time. */
  @Nullable Submission pollForEnd() {
    WaitingPlace place = first();
    if (place == null) {
      place = nextArrived();
      if (place == null) {
        endTurn();
        return null;
      }
      append(place);
    }
    if (place.completions != null) {
      place.completions.take();
    }
    return remove(place);
  }

  @Override
  public long wanted() {
    return room.orderNow(wanted);
  }

  @Override
  public void wakeUp() {
    waker.run();
  }

  private @Nullable WaitingPlace first() {
    return levels == 0 ? null : firsts[firstLevel()];
  }

  private boolean takeCompletion(WaitingPlace first) {
    CompletionPlaces completions = first.completions;
    if (completions == null) {
      return true;
    }
    if (isDrained) {
      completions.take();
      return true;
    }
    boolean isAnnounced = wanted != CompletionPlaces.NOBODY;
    if (isAnnounced) {
      wanted = first.order;
    }
    if (completions.tryTakeInOrder(room.orderNow(first.order))) {
      return true;
    }
    if (isAnnounced) {
      // This line may have been woken for a place that another line has taken meanwhile.
      completions.wakeFirst();
      return false;
    }
    completions.register(this);
    asked = completions;
    wanted = first.order;
    // Announced before this last look: a thread that gives a place back afterwards wakes the
    // worker.
    return completions.tryTakeInOrder(room.orderNow(first.order));
  }

  /**
   * Announces the present demand of the first submission, and lets other lines go on that this line
   * held back.
   */
  private void settle() {
    WaitingPlace first = first();
    long now =
        first == null || first.completions == null || isDrained
            ? CompletionPlaces.NOBODY
            : first.order;
    if (now == wanted) {
      return;
    }
    wanted = now;
    if (asked != null) {
      asked.wakeFirst();
    }
  }

  private @Nullable WaitingPlace nextArrived() {
    WaitingPlace next = lastAdmitted.arrivedNext;
    if (next != null) {
      lastAdmitted.arrivedNext = null;
      lastAdmitted = next;
    }
    return next;
  }

  private void append(WaitingPlace place) {
    int level = place.priority;
    WaitingPlace last = lasts[level];
    place.previous = last;
    if (last == null) {
      firsts[level] = place;
      levels |= 1 << level;
    } else {
      last.next = place;
    }
    lasts[level] = place;
  }

  private Submission remove(WaitingPlace place) {
    Submission waited = place.vacate();
    int level = place.priority;
    WaitingPlace before = place.previous;
    WaitingPlace after = place.next;
    if (before == null) {
      firsts[level] = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      lasts[level] = before;
    } else {
      after.previous = before;
    }
    place.previous = null;
    place.next = null;
    if (firsts[level] == null) {
      levels &= ~(1 << level);
    }
    if (place.completions != null) {
      place.completions.onSeekingNoMore(level);
    }
    waiting.decrementAndGet(level);
    room.leave();
    return waited;
  }
}
