package io.millrace.ends;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * A bounded number of places that many threads take and give back. Each thread works on a stripe
 * with a few free places of its own, and exchanges places with the common count in batches, so that
 * threads on different cores seldom write the same cache line. No place is lost to a stripe: a
 * thread that finds neither takes a place of another stripe. Any thread; no lock; does not
 * allocate.
 */
final class BatchedCount {
  private static final int STRIPES = 64;
  private static final int BATCH = 32;

  /** Words of a stripe, and behind the common count: two cache lines. */
  private static final int SPACING = 32;

  private static final int COMMON = SPACING;
  private static final int FIRST_STRIPE = 2 * SPACING;

  /** Fewer places have no stripes: the stripes could hold a large part of the places. */
  private static final int LEAST_STRIPED = 4 * STRIPES * BATCH;

  private final int capacity;
  private final boolean isStriped;

  /** The common count of taken places, places in stripes included; then each stripe's free ones. */
  private final AtomicIntegerArray words;

  BatchedCount(int capacity) {
    this.capacity = capacity;
    isStriped = capacity >= LEAST_STRIPED;
    words = new AtomicIntegerArray(isStriped ? FIRST_STRIPE + STRIPES * SPACING : FIRST_STRIPE);
  }

  /** Takes a place if a place is free. */
  boolean tryTake() {
    if (!isStriped) {
      return takeCommon(1) == 1;
    }
    if (!isWithinCapacity()) {
      return false;
    }
    int own = ownStripe();
    if (takeOf(own, 1)) {
      return true;
    }
    int taken = takeCommon(BATCH);
    if (taken > 0) {
      words.addAndGet(own, taken - 1);
      return true;
    }
    return takeOfAny();
  }

  /** Takes a place even without a free place. */
  void take() {
    if (!tryTake()) {
      words.incrementAndGet(COMMON);
    }
  }

  /**
   * Gives a taken place back. With stripes a place that nobody has taken may go unnoticed.
   *
   * @throws IllegalStateException if the common count has no place taken
   */
  void giveBack() {
    if (!isStriped || !isWithinCapacity()) {
      giveCommon(1);
      return;
    }
    int own = ownStripe();
    if (words.incrementAndGet(own) > 2 * BATCH && takeOf(own, BATCH)) {
      giveCommon(BATCH);
    }
  }

  /** Whether a place is free. */
  boolean isFree() {
    return words.get(COMMON) < capacity || (isStriped && isWithinCapacity() && isAnyStripeFree());
  }

  /** More places than there are may be taken by {@link #take}: then no stripe's place is free. */
  private boolean isWithinCapacity() {
    return words.get(COMMON) <= capacity;
  }

  private static int ownStripe() {
    int number = (int) Thread.currentThread().threadId() & (STRIPES - 1);
    return FIRST_STRIPE + number * SPACING;
  }

  /** Takes at most so many places of the common count; returns the number taken. */
  private int takeCommon(int most) {
    int seen = words.get(COMMON);
    while (seen < capacity) {
      int taken = Math.min(most, capacity - seen);
      if (words.compareAndSet(COMMON, seen, seen + taken)) {
        return taken;
      }
      seen = words.get(COMMON);
    }
    return 0;
  }

  private void giveCommon(int places) {
    int seen = words.get(COMMON);
    while (seen >= places && !words.compareAndSet(COMMON, seen, seen - places)) {
      seen = words.get(COMMON);
    }
    if (seen < places) {
      throw new IllegalStateException("a place was given back that nobody has");
    }
  }

  private boolean takeOf(int stripe, int places) {
    int seen = words.get(stripe);
    while (seen >= places) {
      if (words.compareAndSet(stripe, seen, seen - places)) {
        return true;
      }
      seen = words.get(stripe);
    }
    return false;
  }

  private boolean takeOfAny() {
    for (int stripe = FIRST_STRIPE; stripe < words.length(); stripe += SPACING) {
      if (takeOf(stripe, 1)) {
        return true;
      }
    }
    return false;
  }

  private boolean isAnyStripeFree() {
    for (int stripe = FIRST_STRIPE; stripe < words.length(); stripe += SPACING) {
      if (words.get(stripe) > 0) {
        return true;
      }
    }
    return false;
  }
}
