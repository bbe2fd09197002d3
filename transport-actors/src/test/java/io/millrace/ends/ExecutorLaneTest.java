package io.millrace.ends;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ExecutorLaneTest {
  private final List<String> log = new ArrayList<>();
  private final Queue<Runnable> executor = new ArrayDeque<>();

  private final class Named implements LaneTask {
    private final String name;

    Named(String name) {
      this.name = name;
    }

    @Override
    public void run() {
      log.add(name + " ran");
    }

    @Override
    public void onRejected() {
      log.add(name + " rejected");
    }
  }

  /** While the task runs, the executor's other threads run their tasks. */
  private final class Blocking implements LaneTask {
    private final Runnable meanwhile;

    Blocking(Runnable meanwhile) {
      this.meanwhile = meanwhile;
    }

    @Override
    public boolean mayBlock() {
      return true;
    }

    @Override
    public void run() {
      meanwhile.run();
      runExecutor();
      log.add("blocking ran");
    }

    @Override
    public void onRejected() {
      log.add("blocking rejected");
    }
  }

  @Test
  void shouldRunWhatWaitedBehindATaskThatBlocks() {
    ExecutorLane lane = new ExecutorLane(executor::add, 4, 2);
    lane.give(new Blocking(() -> {}));
    lane.give(new Named("behind"));
    runExecutor();
    assertEquals(List.of("behind ran", "blocking ran"), log);
  }

  @Test
  void shouldRunWhatComesWhileATaskBlocks() {
    ExecutorLane lane = new ExecutorLane(executor::add, 4, 2);
    lane.give(new Blocking(() -> lane.give(new Named("later"))));
    runExecutor();
    assertEquals(List.of("later ran", "blocking ran"), log);
    lane.give(new Named("afterwards"));
    assertEquals(1, executor.size());
  }

  @Test
  void shouldTakeNoMoreThreadsThanItMayHoweverManyTasksBlock() {
    ExecutorLane lane = new ExecutorLane(executor::add, 8, 2);
    Runnable more = () -> lane.give(new Named("more"));
    lane.give(new Blocking(() -> lane.give(new Blocking(more))));
    runExecutor();
    assertEquals(List.of("blocking ran", "more ran", "blocking ran"), log);
  }

  @Test
  void shouldHandABurstOfShortTasksOverOnce() {
    ExecutorLane lane = new ExecutorLane(executor::add, 32, 4);
    for (int i = 0; i < 16; i++) {
      lane.give(new Named("short"));
    }
    assertEquals(1, executor.size());
  }

  @Test
  void shouldTellATaskThatTheExecutorRefuses() {
    ExecutorLane lane =
        new ExecutorLane(
            task -> {
              throw new RejectedExecutionException("planted");
            },
            4,
            2);
    assertTrue(lane.offer(new Named("offered")));
    lane.give(new Named("given"));
    assertEquals(List.of("offered rejected", "given rejected"), log);
  }

  @Test
  void shouldTellTheTasksThatCameWhileTheExecutorRefusedAndNobodyElse() {
    List<ExecutorLane> lanes = new ArrayList<>();
    AtomicInteger starts = new AtomicInteger();
    ExecutorLane lane =
        new ExecutorLane(
            task -> {
              if (starts.getAndIncrement() == 0) {
                // Another worker offers a task during the refusal of this task.
                assertTrue(lanes.getFirst().offer(new Named("second")));
                throw new RejectedExecutionException("planted");
              }
              executor.add(task);
            },
            4,
            2);
    lanes.add(lane);
    assertTrue(lane.offer(new Named("first")));
    assertEquals(List.of("first rejected", "second rejected"), log);
    assertTrue(lane.offer(new Named("third")));
    runExecutor();
    assertEquals(List.of("first rejected", "second rejected", "third ran"), log);
  }

  @Test
  void shouldGoOnAfterTheExecutorHadNoThread() {
    AtomicInteger starts = new AtomicInteger();
    ExecutorLane lane =
        new ExecutorLane(
            task -> {
              if (starts.getAndIncrement() == 0) {
                throw new OutOfMemoryError("planted: no thread");
              }
              executor.add(task);
            },
            4,
            1);
    assertTrue(lane.offer(new Named("first")));
    assertTrue(lane.offer(new Named("second")));
    runExecutor();
    assertEquals(List.of("first rejected", "second ran"), log);
  }

  @Test
  void shouldLeaveTasksToTheDrainThatRunsWhenASecondOneIsRefused() {
    AtomicInteger starts = new AtomicInteger();
    ExecutorLane lane =
        new ExecutorLane(
            task -> {
              if (starts.getAndIncrement() > 0) {
                throw new RejectedExecutionException("planted");
              }
              executor.add(task);
            },
            64,
            2);
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      assertTrue(lane.offer(new Named("task " + i)));
      expected.add("task " + i + " ran");
    }
    assertTrue(starts.get() > 1);
    assertEquals(List.of(), log);
    runExecutor();
    assertEquals(expected, log);
  }

  @Test
  void shouldRefuseWhenFullButNeverWhatIsGiven() {
    ExecutorLane lane = new ExecutorLane(executor::add, 2, 1);
    assertTrue(lane.offer(new Named("1")));
    assertTrue(lane.offer(new Named("2")));
    assertFalse(lane.offer(new Named("3")));
    lane.give(new Named("4"));
    runExecutor();
    assertEquals(List.of("1 ran", "2 ran", "4 ran"), log);
  }

  @Test
  void shouldReserveAsManyPlacesAsItHolds() {
    ExecutorLane lane = new ExecutorLane(executor::add, 2, 1);
    assertTrue(lane.reserve());
    assertTrue(lane.reserve());
    assertFalse(lane.reserve());
    lane.unreserve();
    assertTrue(lane.reserve());
    assertFalse(lane.reserve());
  }

  @Test
  void shouldTellEveryTaskOnceWhenManyThreadsMeetAnExecutorThatRefusesSome() throws Exception {
    int threads = 4;
    int tasks = 20_000;
    AtomicInteger[] told = new AtomicInteger[threads * tasks];
    AtomicInteger rejections = new AtomicInteger();
    CountDownLatch all = new CountDownLatch(threads * tasks);
    try (ExecutorService senders = Executors.newFixedThreadPool(threads);
        ExecutorService pool =
            new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new SynchronousQueue<>())) {
      ExecutorLane lane = new ExecutorLane(pool, 1 << 17, 2);
      for (int thread = 0; thread < threads; thread++) {
        int first = thread * tasks;
        senders.execute(
            () -> {
              for (int i = 0; i < tasks; i++) {
                AtomicInteger mine = new AtomicInteger();
                told[first + i] = mine;
                assertTrue(lane.offer(new Counted(mine, rejections, all)));
              }
            });
      }
      assertTrue(all.await(50, TimeUnit.SECONDS), () -> all.getCount() + " were told nothing");
    }
    for (AtomicInteger one : told) {
      assertEquals(1, one.get());
    }
  }

  private record Counted(AtomicInteger told, AtomicInteger rejections, CountDownLatch all)
      implements LaneTask {
    @Override
    public void run() {
      told.incrementAndGet();
      all.countDown();
    }

    @Override
    public void onRejected() {
      rejections.incrementAndGet();
      run();
    }
  }

  private void runExecutor() {
    Runnable task;
    while ((task = executor.poll()) != null) {
      task.run();
    }
  }
}
