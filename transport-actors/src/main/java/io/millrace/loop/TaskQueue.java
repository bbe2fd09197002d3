package io.millrace.loop;

import io.millrace.queue.ManyToOneQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.apache.pekko.dispatch.Mailbox;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that wait for a loop.
 *
 * <p>The loop's own submissions go to a plain deque, submissions of other threads to a ring and,
 * when the ring is full, to an overflow list. The list never refuses a mailbox: a refused mailbox
 * would be an actor that sleeps for ever. A mailbox is queued at most once, so mailboxes take at
 * most as many places as the dispatcher has actors, and the number of actors bounds the mailboxes.
 * Any other task is refused when {@code capacity} tasks wait in the overflow list (twice that, in
 * the loop's own deque). Tasks of a thread run in the order of their submission.
 *
 * <p>When the loop closes, {@link #collect} and {@link #withdraw} ensure that a task submitted at
 * this very moment is either run or refused, never both and never neither.
 */
final class TaskQueue {
  private static final VarHandle COLLECTING;

  static {
    try {
      COLLECTING =
          MethodHandles.lookup().findVarHandle(TaskQueue.class, "collecting", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final int SIZE = 32;

  private final int capacity;
  private final LoopCounters counters;
  private final ManyToOneQueue<Runnable> ring;
  private final ConcurrentLinkedQueue<Runnable> overflow = new ConcurrentLinkedQueue<>();

  /** A single number, at {@link #SIZE}, apart from the cache lines of the loop's writes. */
  private final AtomicIntegerArray overflowSize = new AtomicIntegerArray(2 * SIZE);

  private final ArrayDeque<Runnable> own = new ArrayDeque<>(256);
  private final ConcurrentLinkedQueue<Runnable> collected = new ConcurrentLinkedQueue<>();

  @SuppressWarnings("unused") // by COLLECTING: whether somebody moves tasks from the ring
  private volatile boolean collecting;

  TaskQueue(int capacity, LoopCounters counters) {
    this.ring = new ManyToOneQueue<>(capacity);
    this.capacity = ring.capacity();
    this.counters = counters;
  }

  /** Adds a task of the loop's own thread; false after a refusal. */
  boolean offerOwn(Runnable task) {
    if (own.size() >= 2 * capacity && !(task instanceof Mailbox)) {
      return false;
    }
    own.addLast(task);
    return true;
  }

  /** Adds a task of any other thread; false after a refusal. */
  boolean offer(Runnable task) {
    // Behind an overflow list that is not empty even a free slot of the ring would be overtaking.
    if (overflowSize.get(SIZE) == 0 && ring.offer(task)) {
      return true;
    }
    if (overflowSize.incrementAndGet(SIZE) > capacity && !(task instanceof Mailbox)) {
      overflowSize.decrementAndGet(SIZE);
      return false;
    }
    overflow.add(task);
    counters.onOverflow();
    return true;
  }

  /** The next task of the loop's own, or null. Loop only. */
  @Nullable Runnable pollOwn() {
    return own.pollFirst();
  }

  /** The next task of other threads, or null. Loop only. */
  @Nullable Runnable poll() {
    Runnable task = ring.poll();
    return task == null && overflowSize.get(SIZE) != 0 ? pollOverflow() : task;
  }

  /** Whether a task waits or is just being added; never misses a fully added task. Loop only. */
  boolean hasTask() {
    return !own.isEmpty() || !ring.isEmpty() || overflowSize.get(SIZE) != 0;
  }

  /**
   * Loop only, from the moment of its close: moves all waiting tasks to a queue that all threads
   * may read.
   */
  void collect() {
    Runnable task;
    while ((task = own.pollFirst()) != null) {
      collected.add(task);
    }
    collectForeign();
  }

  /** The next collected task, or null. Loop only, after {@link #collect}. */
  @Nullable Runnable pollCollected() {
    return collected.poll();
  }

  /**
   * Takes back a task that was offered while the loop closed; false if the loop has the task and
   * will run it. Any thread, only after the loop has begun to collect.
   */
  boolean withdraw(Runnable task) {
    collectForeign();
    return collected.remove(task);
  }

  private @Nullable Runnable pollOverflow() {
    // The look at the list precedes the look at the ring: earlier tasks of the thread at the list's
    // head have then certainly left the ring if the ring is empty.
    if (overflow.peek() == null || !ring.isEmpty()) {
      return null;
    }
    Runnable task = overflow.poll();
    overflowSize.decrementAndGet(SIZE);
    return task;
  }

  private void collectForeign() {
    while (!COLLECTING.compareAndSet(this, false, true)) {
      Thread.onSpinWait();
    }
    while (!ring.isEmpty() || overflowSize.get(SIZE) != 0) {
      Runnable task = poll();
      if (task == null) {
        Thread.onSpinWait(); // a submitter is between taking and filling its slot
      } else {
        collected.add(task);
      }
    }
    COLLECTING.setRelease(this, false);
  }
}
