package io.millrace.ends;

import io.millrace.queue.ManyToManyQueue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The waiting tasks of one priority of a lane, the oldest first. A single task that was given up
 * before its turn proves no lateness: its caller may have hedged, or its path may have ended. Many
 * such tasks while the level was never empty ({@link #GIVEN_UP}, and a sixteenth of the waiting
 * tasks) prove that tasks wait for longer than their callers do. From then on until the level is
 * empty the newest task is first: the executor does not spend its time on answers that come too
 * late. Meanwhile one turn of {@link #OLDEST_EVERY} goes to the oldest task, so that a caller
 * without a deadline is answered, too. Any thread; no lock; allocates only while the newest task is
 * first.
 */
final class LaneLevel {
  /** In one of this many turns the oldest task is first. */
  private static final int OLDEST_EVERY = 32;

  /** The fewest tasks given up that turn the order. */
  private static final int GIVEN_UP = 8;

  /** One of so many waiting tasks must have been given up to turn the order. */
  private static final int GIVEN_UP_PART = 16;

  private final ManyToManyQueue<LaneTask> usual;

  /** Tasks in the time of the newest first, the newest first. */
  private final ConcurrentLinkedDeque<LaneTask> newest = new ConcurrentLinkedDeque<>();

  /** Tasks from before the time of the newest first, the oldest first. */
  private final ConcurrentLinkedDeque<LaneTask> early = new ConcurrentLinkedDeque<>();

  /** Tasks in {@link #newest} and {@link #early}, or about to come there. */
  private final AtomicInteger kept = new AtomicInteger();

  private final AtomicInteger turns = new AtomicInteger();

  /** Tasks that were given up before their turn, since the level was empty. */
  private final AtomicInteger givenUp = new AtomicInteger();

  private volatile boolean isNewestFirst;

  LaneLevel(int capacity) {
    usual = new ManyToManyQueue<>(capacity);
  }

  boolean offer(LaneTask task) {
    if (!isNewestFirst) {
      return usual.offer(task);
    }
    if (kept.incrementAndGet() + usual.size() > usual.capacity()) {
      kept.decrementAndGet();
      return false;
    }
    newest.addFirst(task);
    return true;
  }

  @Nullable LaneTask poll() {
    if (isNewestFirst || kept.get() > 0) {
      return pollNewest();
    }
    LaneTask task = usual.poll();
    if (task != null && task.isAbandoned()) {
      onGivenUp();
    }
    if (givenUp.get() != 0 && usual.isEmpty()) {
      givenUp.set(0);
    }
    return task;
  }

  private void onGivenUp() {
    int seen = givenUp.incrementAndGet();
    if (seen >= GIVEN_UP && !usual.isEmpty() && seen >= usual.size() / GIVEN_UP_PART) {
      isNewestFirst = true;
    }
  }

  private @Nullable LaneTask pollNewest() {
    LaneTask waiting = usual.poll();
    if (waiting != null) {
      if (waiting.isAbandoned()) {
        // Tasks may be left here after the order was turned back.
        onGivenUp();
        return waiting;
      }
      kept.incrementAndGet();
      early.addLast(waiting);
    }
    LaneTask oldest = early.peekFirst();
    if (oldest == null) {
      oldest = newest.peekLast();
    }
    if (oldest == null) {
      givenUp.set(0);
      isNewestFirst = false;
      return null;
    }
    // A task that was given up costs its turn nothing, and its memory is wanted.
    boolean isOldestFirst = oldest.isAbandoned() || turns.incrementAndGet() % OLDEST_EVERY == 0;
    LaneTask task = isOldestFirst ? early.pollFirst() : newest.pollFirst();
    if (task == null) {
      task = isOldestFirst ? newest.pollLast() : early.pollLast();
    }
    if (task != null) {
      kept.decrementAndGet();
    }
    return task;
  }

  boolean isEmpty() {
    return usual.isEmpty() && kept.get() == 0;
  }

  int size() {
    return usual.size() + kept.get();
  }

  int capacity() {
    return usual.capacity();
  }
}
