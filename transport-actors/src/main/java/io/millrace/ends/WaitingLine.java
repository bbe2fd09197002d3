package io.millrace.ends;

import io.millrace.protocol.transfer.FrameQueue;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The submissions in a {@link WaitingRoom} that go to one worker, in the order of their priorities,
 * and of their arrival within each. Any thread joins. The worker admits those that came, takes the
 * first when there is room, and lets go of those that leave, so all of that needs no lock and no
 * compare-and-set. Nothing passes one that waits for a place of its completion.
 */
final class WaitingLine implements CompletionPlaces.Seeker {
  /** Most that a turn admits; more of them wait for the next one. */
  private static final int ADMITTED_PER_TURN = 4_096;

  private final WaitingRoom room;
  private final Runnable waker;
  private final AtomicIntegerArray waiting = new AtomicIntegerArray(FrameQueue.LEVELS);
  private final AtomicReference<WaitingPlace> lastArrived;

  /** The last one admitted: those that came after it are linked to it. */
  private WaitingPlace lastAdmitted;

  private final @Nullable WaitingPlace[] firsts = new @Nullable WaitingPlace[FrameQueue.LEVELS];
  private final @Nullable WaitingPlace[] lasts = new @Nullable WaitingPlace[FrameQueue.LEVELS];

  /** A bit for each level at which one waits. */
  private int levels;

  /** Order of the first, while it has asked for a place in vain. */
  private volatile long wanted = CompletionPlaces.NOBODY;

  private @Nullable CompletionPlaces asked;
  private boolean isDrained;

  /** An empty line; {@code waker} has its worker look at it. */
  WaitingLine(WaitingRoom room, Runnable waker) {
    this.room = room;
    this.waker = waker;
    lastAdmitted = new WaitingPlace(this, 0, null, null);
    lastArrived = new AtomicReference<>(lastAdmitted);
  }

  /** Submissions in it; any thread, a guess while others join. */
  int size() {
    int size = 0;
    for (int level = 0; level < FrameQueue.LEVELS; level++) {
      size += waiting.get(level);
    }
    return size;
  }

  /** Whether one waits that is as urgent as this priority. Any thread. */
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
    // Until this is linked the worker does not see those that come after it; it is woken then.
    lastArrived.getAndSet(place).arrivedNext = place;
    return true;
  }

  /** Lets those that have joined line up. On the worker's thread. */
  void admit(long nowNs, Consumer<Throwable> onFault) {
    WaitingPlace place;
    for (int i = 0; i < ADMITTED_PER_TURN && (place = nextArrived()) != null; i++) {
      append(place);
      Submission submission = place.submission();
      if (submission != null) {
        try {
          submission.onAdmitted(place, nowNs);
        } catch (RuntimeException | Error e) { // the others must line up, too
          onFault.accept(e);
        }
      }
    }
  }

  /** The level of the first one; {@link Integer#SIZE} if nobody waits. On the worker's thread. */
  int firstLevel() {
    return Integer.numberOfTrailingZeros(levels);
  }

  /** Takes the first one; null if there is none or no place for its completion. Worker's thread. */
  @Nullable Submission poll() {
    WaitingPlace first = first();
    if (first == null || !takeCompletion(first)) {
      return null;
    }
    return remove(first);
  }

  /** The worker has taken what it will in this turn. */
  void endTurn() {
    if (wanted != CompletionPlaces.NOBODY) {
      settle();
    }
  }

  /** Whether the worker would do something for it. On its thread. */
  boolean isReady() {
    if (lastAdmitted.arrivedNext != null) {
      return true;
    }
    WaitingPlace first = first();
    return first != null
        && (first.completions == null || isDrained || first.completions.isFreeFor(first.order));
  }

  /** Whoever waits will be refused by who takes it, so that it needs no place. Worker's thread. */
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

  /** Takes everything out, for the end of the worker. One thread at a time. */
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
    return wanted;
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
    if (completions.tryTakeInOrder(first.order)) {
      return true;
    }
    if (isAnnounced) {
      // This line may have been woken for a place that is another one's now.
      completions.wakeFirst();
      return false;
    }
    completions.register(this);
    asked = completions;
    wanted = first.order;
    // Announced before this last look: who gives a place back after it wakes the worker.
    return completions.tryTakeInOrder(first.order);
  }

  /** Says what the first wants now, and lets others go on that it held back. */
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
