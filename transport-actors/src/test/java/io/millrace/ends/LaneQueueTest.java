package io.millrace.ends;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class LaneQueueTest {
  private static final int PERCENT = 2;
  private static final int TURNS = 1_000;

  /** Tasks given up that turn the order. */
  private static final int GIVEN_UP = 8;

  private final LaneQueue queue = new LaneQueue(4_096, new AdmissionTurns(PERCENT));

  private static final class Task implements LaneTask {
    private final int level;
    private final int number;
    private boolean isGivenUp;

    Task(int level, int number) {
      this.level = level;
      this.number = number;
    }

    @Override
    public int level() {
      return level;
    }

    @Override
    public boolean isAbandoned() {
      return isGivenUp;
    }

    @Override
    public void run() {}

    @Override
    public void onRejected() {}
  }

  private Task offer(int level, int number) {
    Task task = new Task(level, number);
    assertTrue(queue.offer(task));
    return task;
  }

  private Task poll() {
    return (Task) Objects.requireNonNull(queue.poll());
  }

  @Test
  void shouldServeTheMostUrgentFirstAndEachPriorityInItsLeastPartOfTheTurns() {
    int[] served = new int[8];
    for (int level = 0; level < served.length; level++) {
      for (int i = 0; i < TURNS; i++) {
        offer(level, i);
      }
    }
    for (int turn = 0; turn < TURNS; turn++) {
      served[poll().level]++;
    }
    int least = TURNS * PERCENT / 100;
    for (int level = 1; level < served.length; level++) {
      assertEquals(least, served[level], "priority " + level);
    }
    assertEquals(TURNS - 7 * least, served[0]);
  }

  @Test
  void shouldLeaveTheTurnOfAPriorityToTheTaskBehindTheTasksGivenUp() {
    for (int i = 0; i < TURNS; i++) {
      offer(0, i);
      offer(7, i).isGivenUp = i < TURNS / 2;
    }
    int live = 0;
    int lowest = 0;
    while (live < 100) {
      Task task = poll();
      live += task.isGivenUp ? 0 : 1;
      lowest += !task.isGivenUp && task.level == 7 ? 1 : 0;
    }
    assertEquals(2, lowest);
  }

  @Test
  void shouldServeTheNewestFirstOnceManyTasksWereGivenUpBeforeTheirTurn() {
    List<Task> early = new ArrayList<>();
    for (int i = 0; i < 18; i++) {
      early.add(offer(3, i));
    }
    assertEquals(0, poll().number);
    for (int i = 1; i <= GIVEN_UP; i++) {
      early.get(i).isGivenUp = true;
      assertEquals(i, poll().number);
    }
    offer(3, 18);
    offer(3, 19);
    assertEquals(19, poll().number);
    assertEquals(18, poll().number);
    int left = queue.size();
    for (int i = 0; i < left; i++) {
      poll();
    }
    assertNull(queue.poll());
    assertTrue(queue.isEmpty());
    offer(3, 20);
    offer(3, 21);
    assertEquals(20, poll().number, "an empty level serves the oldest first again");
  }

  @Test
  void shouldKeepTheOrderWhileFewTasksAreGivenUp() {
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 100; i++) {
        offer(3, i).isGivenUp = i % 15 == 0;
      }
      for (int i = 0; i < 100; i++) {
        assertEquals(i, poll().number, "seven callers of a hundred hedged");
      }
    }
    for (int i = 0; i < TURNS; i++) {
      offer(3, i).isGivenUp = i < TURNS / 20;
    }
    for (int i = 0; i < TURNS; i++) {
      assertEquals(i, poll().number, "one path of many has ended");
    }
  }

  @Test
  void shouldServeTheOldestAmongTheNewestNowAndThen() {
    for (int i = 0; i < GIVEN_UP; i++) {
      offer(3, i).isGivenUp = true;
    }
    Task oldest = offer(3, GIVEN_UP);
    for (int i = 0; i < GIVEN_UP; i++) {
      assertEquals(i, poll().number);
    }
    for (int i = 0; i < 100; i++) {
      offer(3, 100 + i);
      if (poll() == oldest) {
        assertTrue(i > 0, "the newest task is first meanwhile");
        return;
      }
    }
    throw new AssertionError("the oldest task was never served");
  }

  @Test
  void shouldHaveRoomForAPriorityThoughAnotherIsFull() {
    LaneQueue small = new LaneQueue(2, new AdmissionTurns(0));
    assertTrue(small.offer(new Task(7, 0)));
    assertTrue(small.offer(new Task(7, 1)));
    assertFalse(small.offer(new Task(7, 2)));
    assertEquals(0, small.room(7));
    assertEquals(2, small.room(0));
    assertTrue(small.offer(new Task(0, 3)));
    assertEquals(3, ((Task) Objects.requireNonNull(small.poll())).number);
  }
}
