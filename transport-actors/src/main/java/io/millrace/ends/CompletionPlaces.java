package io.millrace.ends;

import io.millrace.protocol.transfer.FrameQueue;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Places for completions that will be given to an {@link ExecutorLane}: a bounded number, and the
 * lines that seek a place. Seekers get places in their order: a seeker that is not first takes no
 * place. A thread that gives a place back wakes the first seeker. Any thread; no lock; allocates
 * only when a line seeks for the first time.
 */
final class CompletionPlaces {
  /** The order of nobody. */
  static final long NOBODY = Long.MAX_VALUE;

  private final BatchedCount places;
  private final AtomicIntegerArray seeking = new AtomicIntegerArray(FrameQueue.LEVELS);
  private final AtomicReference<Seeker[]> seekers = new AtomicReference<>(new Seeker[0]);

  /** A line with submissions that wait for a place. */
  interface Seeker {
    /** The order of the first waiting submission, or {@link #NOBODY}. Any thread. */
    long wanted();

    /** The seeker may find a free place. Any thread. */
    void wakeUp();
  }

  CompletionPlaces(int capacity) {
    places = new BatchedCount(capacity);
  }

  /** Takes a place if a place is free. */
  boolean tryTake() {
    boolean isTaken = places.tryTake();
    if (isTaken) {
      onTaken();
    }
    return isTaken;
  }

  /**
   * Takes a place if a place is free, and no submission seeks a place that is equally urgent or of
   * the level whose turn it is.
   */
  boolean tryTakeAt(int priority, int dueLevel) {
    if (seeking.get(dueLevel) != 0) {
      return false;
    }
    for (int level = 0; level <= priority; level++) {
      if (seeking.get(level) != 0) {
        return false;
      }
    }
    return tryTake();
  }

  /** Takes a place if a place is free and no submission of an earlier order seeks a place. */
  boolean tryTakeInOrder(long order) {
    return isFirst(order) && tryTake();
  }

  /** Whether {@link #tryTakeInOrder} would take a place now. */
  boolean isFreeFor(long order) {
    return isFree() && isFirst(order);
  }

  /** Takes a place even without a free place: the place's completion is due already. */
  void take() {
    places.take();
    onTaken();
  }

  /** The place may come from a batch, whose other places are free now. */
  private void onTaken() {
    if (seekers.get().length > 0) {
      wakeFirst();
    }
  }

  /**
   * Gives a place back.
   *
   * @throws IllegalStateException if no place is taken and the places are few; see {@link
   *     BatchedCount#giveBack}
   */
  void giveBack() {
    places.giveBack();
    wakeFirst();
  }

  /** A further submission of this priority waits for a place. */
  void onSeeking(int priority) {
    seeking.incrementAndGet(priority);
  }

  /** A submission of this priority no longer waits for a place. */
  void onSeekingNoMore(int priority) {
    seeking.decrementAndGet(priority);
  }

  /** A line will announce its demand; does nothing for a known line. */
  void register(Seeker seeker) {
    Seeker[] seen = seekers.get();
    while (!Arrays.asList(seen).contains(seeker)) {
      Seeker[] more = Arrays.copyOf(seen, seen.length + 1);
      more[seen.length] = seeker;
      if (seekers.compareAndSet(seen, more)) {
        return;
      }
      seen = seekers.get();
    }
  }

  /** Wakes the first seeker, if a place is free. */
  void wakeFirst() {
    Seeker[] all = seekers.get();
    if (all.length == 0 || !isFree()) {
      return;
    }
    Seeker first = all[0];
    long order = NOBODY;
    for (Seeker seeker : all) {
      long wanted = seeker.wanted();
      if (wanted < order) {
        order = wanted;
        first = seeker;
      }
    }
    if (order != NOBODY) {
      first.wakeUp();
    }
  }

  private boolean isFree() {
    return places.isFree();
  }

  private boolean isFirst(long order) {
    for (Seeker seeker : seekers.get()) {
      if (seeker.wanted() < order) {
        return false;
      }
    }
    return true;
  }
}
