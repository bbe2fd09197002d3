package io.millrace.ends;

import io.millrace.protocol.transfer.FrameQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The waiting tasks of a lane: the most urgent priority first, except for the turns that {@link
 * AdmissionTurns} gives to each priority. Each priority has room of its own, so that many tasks of
 * one priority shut out no task of another. A priority without tasks so far costs no memory. Any
 * thread; no lock.
 */
final class LaneQueue {
  private final int leastCapacity;
  private final AdmissionTurns turns;
  private final AtomicLong turn = new AtomicLong();
  private final AtomicReferenceArray<@Nullable LaneLevel> levels =
      new AtomicReferenceArray<>(FrameQueue.LEVELS);

  /** A bit for each priority that has had a task. */
  private final AtomicInteger used = new AtomicInteger();

  /** A queue with room for this number of tasks of each priority. */
  LaneQueue(int leastCapacity, AdmissionTurns turns) {
    this.leastCapacity = leastCapacity;
    this.turns = turns;
  }

  /** Adds a task; false without room for tasks of this priority. */
  boolean offer(LaneTask task) {
    return level(task.level()).offer(task);
  }

  /** Takes the task whose turn has come, or null. */
  @Nullable LaneTask poll() {
    int now = used.get();
    if ((now & now - 1) == 0) {
      return now == 0 ? null : poll(Integer.numberOfTrailingZeros(now));
    }
    int first = turns.first(turn.get());
    LaneTask task = first == 0 ? null : poll(first);
    if (task == null) {
      task = pollMostUrgent(now);
    }
    // A task that was given up leaves the turn to the task behind.
    if (task != null && !task.isAbandoned()) {
      turn.getAndIncrement();
    }
    return task;
  }

  private @Nullable LaneTask pollMostUrgent(int priorities) {
    for (int bits = priorities; bits != 0; bits &= bits - 1) {
      LaneTask task = poll(Integer.numberOfTrailingZeros(bits));
      if (task != null) {
        return task;
      }
    }
    return null;
  }

  private @Nullable LaneTask poll(int priority) {
    LaneLevel level = levels.get(priority);
    return level == null ? null : level.poll();
  }

  boolean isEmpty() {
    for (int bits = used.get(); bits != 0; bits &= bits - 1) {
      LaneLevel level = levels.get(Integer.numberOfTrailingZeros(bits));
      if (level != null && !level.isEmpty()) {
        return false;
      }
    }
    return true;
  }

  /** Waiting tasks of all priorities. */
  int size() {
    int size = 0;
    for (int bits = used.get(); bits != 0; bits &= bits - 1) {
      LaneLevel level = levels.get(Integer.numberOfTrailingZeros(bits));
      size += level == null ? 0 : level.size();
    }
    return size;
  }

  /** Further tasks of this priority for which the queue has room. */
  int room(int priority) {
    LaneLevel level = level(priority);
    return Math.max(0, level.capacity() - level.size());
  }

  private LaneLevel level(int priority) {
    LaneLevel known = levels.get(priority);
    return known == null ? newLevel(priority) : known;
  }

  private LaneLevel newLevel(int priority) {
    LaneLevel own = new LaneLevel(leastCapacity);
    // Ahead of the level: any thread that finds the level may count on the bit.
    used.getAndUpdate(bits -> bits | 1 << priority);
    LaneLevel known = levels.compareAndExchange(priority, null, own);
    return known == null ? own : known;
  }
}
