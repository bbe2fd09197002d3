package io.millrace.protocol.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scheduler against a model that walks round by round and level by level. */
class PrioritySchedulerModelTest {
  private static final int LEVELS = PriorityScheduler.LEVELS;
  private static final int ENTRIES = 30;

  /** Deficit round robin in its plain form, with lists and loops. */
  private static final class Model {
    final List<List<Integer>> queues = new ArrayList<>();
    final List<List<Integer>> held = new ArrayList<>();
    final long[] deficit = new long[LEVELS];
    final int[] round = new int[LEVELS];
    int polledLevel;

    Model(int[] weights, int quantum) {
      for (int level = 0; level < LEVELS; level++) {
        queues.add(new ArrayList<>());
        held.add(new ArrayList<>());
        round[level] = weights[level] * quantum;
        deficit[level] = round[level];
      }
    }

    void activate(int entry, int level) {
      if (held.get(level).removeIf(each -> each == entry)) {
        queues.get(level).addFirst(entry);
      } else if (!queues.get(level).contains(entry)) {
        queues.get(level).add(entry);
      }
    }

    void hold(int entry, int level) {
      queues.get(level).removeIf(queued -> queued == entry);
      if (!held.get(level).contains(entry)) {
        held.get(level).add(entry);
      }
    }

    void remove(int entry) {
      for (List<Integer> queue : queues) {
        queue.removeIf(queued -> queued == entry);
      }
      for (List<Integer> waiting : held) {
        waiting.removeIf(each -> each == entry);
      }
    }

    int poll() {
      if (queues.stream().allMatch(List::isEmpty)) {
        for (int level = 0; level < LEVELS && held.stream().allMatch(List::isEmpty); level++) {
          deficit[level] = round[level];
        }
        return -1;
      }
      while (true) {
        for (int level = 0; level < LEVELS; level++) {
          if (!queues.get(level).isEmpty() && deficit[level] > 0) {
            polledLevel = level;
            return queues.get(level).removeFirst();
          }
        }
        for (int level = 0; level < LEVELS; level++) {
          deficit[level] = Math.min(deficit[level], 0) + round[level];
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void shouldChooseWhatRoundsAndLevelsWalkedOneByOneChoose(long seed) {
    final SplittableRandom random = new SplittableRandom(seed);
    final int[] weights = new int[LEVELS];
    for (int level = 0; level < LEVELS; level++) {
      weights[level] = 1 + random.nextInt(200);
    }
    final int quantum = 1 + random.nextInt(1000);
    final Model model = new Model(weights, quantum);
    final PriorityScheduler<Integer> scheduler =
        new PriorityScheduler<>(SchedulerPolicy.WEIGHTED, weights, quantum);
    final List<Schedulable<Integer>> entries = new ArrayList<>();
    for (int i = 0; i < ENTRIES; i++) {
      entries.add(new Schedulable<>(i));
    }
    for (int step = 0; step < 100_000; step++) {
      final String where = "seed " + seed + " step " + step;
      final int action = random.nextInt(20);
      final int entry = random.nextInt(ENTRIES);
      final int level = random.nextInt(LEVELS);
      if (action < 9) {
        scheduler.activate(entries.get(entry), level);
        model.activate(entry, level);
      } else if (action == 9) {
        scheduler.remove(entries.get(entry));
        model.remove(entry);
      } else if (action == 10) {
        scheduler.hold(entries.get(entry), level);
        model.hold(entry, level);
      } else {
        final int expected = model.poll();
        final Schedulable<Integer> polled = scheduler.poll();
        assertEquals(expected, polled == null ? -1 : (int) polled.owner(), where);
        if (polled != null) {
          assertEquals(model.polledLevel, scheduler.polledLevel(), where);
          final int bytes = random.nextInt(random.nextInt(10) == 0 ? 70_000 : 2000);
          scheduler.charge(scheduler.polledLevel(), bytes);
          model.deficit[model.polledLevel] -= bytes;
        }
      }
    }
  }
}
