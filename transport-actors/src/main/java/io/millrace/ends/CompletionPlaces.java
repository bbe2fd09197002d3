package io.millrace.ends;

import io.millrace.protocol.transfer.FrameQueue;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Places for completions that will be given to an {@link ExecutorLane}: a bounded number, and who
 * seeks one. Seekers get them in their order: who is not first takes none. Whoever gives one back
 * wakes the first. Any thread; no lock; allocates only when a line seeks for the first time.
 */
final class CompletionPlaces {
  /** The order of nobody. */
  static final long NOBODY = Long.MAX_VALUE;

  private final int capacity;
  private final AtomicInteger taken = new AtomicInteger();
  private final AtomicIntegerArray seeking = new AtomicIntegerArray(FrameQueue.LEVELS);
  private final AtomicReference<Seeker[]> seekers = new AtomicReference<>(new Seeker[0]);

  /** Who has submissions that wait for a place. */
  interface Seeker {
    /** The order of the first of them, or {@link #NOBODY}. Any thread. */
    long wanted();

    /** There may be a place for it. Any thread. */
    void wakeUp();
  }

  CompletionPlaces(int capacity) {
    this.capacity = capacity;
  }

  /** Takes a place if one is free. */
  boolean tryTake() {
    int seen = taken.get();
    while (seen < capacity) {
      if (taken.compareAndSet(seen, seen + 1)) {
        return true;
      }
      seen = taken.get();
    }
    return false;
  }

  /** Takes a place if one is free and nobody seeks one who is as urgent. */
  boolean tryTakeAt(int priority) {
    for (int level = 0; level <= priority; level++) {
      if (seeking.get(level) != 0) {
        return false;
      }
    }
    return tryTake();
  }

  /** Takes a place if one is free and nobody seeks one who goes before this order. */
  boolean tryTakeInOrder(long order) {
    return isFirst(order) && tryTake();
  }

  /** Whether {@link #tryTakeInOrder} would take one now. */
  boolean isFreeFor(long order) {
    return isFree() && isFirst(order);
  }

  /** Takes a place even if none is free: its completion is due already. */
  void take() {
    taken.incrementAndGet();
  }

  /**
   * Gives a place back.
   *
   * @throws IllegalStateException if none is taken: nothing has happened
   */
  void giveBack() {
    int seen = taken.get();
    while (seen > 0 && !taken.compareAndSet(seen, seen - 1)) {
      seen = taken.get();
    }
    if (seen == 0) {
      throw new IllegalStateException("a place was given back that nobody has");
    }
    wakeFirst();
  }

  /** One more submission of this priority waits that needs a place. */
  void onSeeking(int priority) {
    seeking.incrementAndGet(priority);
  }

  /** One such waits no longer. */
  void onSeekingNoMore(int priority) {
    seeking.decrementAndGet(priority);
  }

  /** A line will say what it wants; does nothing if it is known. */
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

  /** Wakes whoever goes first, if a place is free. */
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
    return taken.get() < capacity;
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
