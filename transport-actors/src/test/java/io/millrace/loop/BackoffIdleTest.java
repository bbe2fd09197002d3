package io.millrace.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.queue.BoundedQueue;
import io.millrace.queue.ManyToOneQueue;
import io.millrace.queue.OneToOneQueue;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.SystemNanoClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BackoffIdleTest {
  private static final long SEED = Long.getLong("millrace.seed", 20_250_402L);
  private static final long HOUR_NS = TimeUnit.HOURS.toNanos(1);
  private static final LoopSettings.Backoff PARKS_AT_ONCE =
      new LoopSettings.Backoff(0, 0, HOUR_NS, HOUR_NS, HOUR_NS);

  private final Parker parker = new Parker();
  private long nowNs;

  @Test
  void shouldSpinThenYieldThenPark() {
    LoopBody loop = loop(parker);
    BackoffIdle idle = new BackoffIdle(new LoopSettings.Backoff(3, 2, 1, 8, 8), parker, loop);
    idle.onStart();
    for (int i = 0; i < 5; i++) {
      idle.onTurn(0);
    }
    assertEquals(0, loop.counters().parks());
    idle.onTurn(0);
    idle.onTurn(0);
    assertEquals(2, loop.counters().parks());
    idle.onTurn(1);
    for (int i = 0; i < 5; i++) {
      idle.onTurn(0);
    }
    assertEquals(2, loop.counters().parks(), "work starts it anew");
    idle.onTurn(0);
    assertEquals(3, loop.counters().parks());
  }

  @Test
  void shouldLearnHowLongToSpin() {
    LoopBody loop = loop(parker);
    BackoffIdle idle = new BackoffIdle(new LoopSettings.Backoff(64, 0, 1, 1, 1), parker, loop);
    idle.onStart();
    for (int turns : new int[] {64, 32, 16, 8, 8}) {
      assertEquals(turns, turnsToSleep(idle, loop));
    }
    turn(idle, 3);
    assertEquals(16, turnsToSleep(idle, loop), "the pause before ended in time");
    for (int pause = 8; pause <= 16; pause++) {
      assertEquals(8, turnsToSleep(idle, loop), "pause " + pause);
    }
    turn(idle, 40);
    assertEquals(64, turnsToSleep(idle, loop), "it tried, and that was long enough");
    for (int pause = 19; pause <= 32; pause++) {
      turnsToSleep(idle, loop);
    }
    assertEquals(64, turnsToSleep(idle, loop), "it tries again");
    assertEquals(8, turnsToSleep(idle, loop), "in vain");
  }

  /** A pause that ends with work while the idler spins. */
  private static void turn(BackoffIdle idle, int turns) {
    for (int i = 0; i < turns; i++) {
      idle.onTurn(0);
    }
    idle.onTurn(1);
  }

  /** A pause with a single sleep; returns the number of turns spun before the sleep. */
  private static int turnsToSleep(BackoffIdle idle, LoopBody loop) {
    long before = loop.counters().parks();
    int turns = 0;
    idle.onTurn(0);
    while (loop.counters().parks() == before) {
      turns++;
      idle.onTurn(0);
    }
    idle.onTurn(1);
    return turns;
  }

  /** A parked loop has no work, however long; nobody may take the sleep for a hang. */
  @Test
  void shouldHaveNoRunnerWhileItIsParkedOrNobodyDrivesIt() throws InterruptedException {
    LoopBody loop = loop(parker);
    assertNull(loop.runner(), "nobody drives it");
    BackoffIdle idle = new BackoffIdle(PARKS_AT_ONCE, parker, loop);
    Thread thread =
        new Thread(
            () -> {
              loop.enter();
              idle.onStart();
              loop.runTurn();
              idle.onTurn(0);
              loop.exit();
            });
    long before = loop.progress();
    AtomicReference<@Nullable Thread> seen = new AtomicReference<>();
    loop.execute(() -> seen.set(loop.runner()));
    thread.start();
    while (thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    assertSame(thread, seen.get(), "in its turn");
    assertNull(loop.runner(), "parked");
    assertNotEquals(before, loop.progress());
    loop.wakeUp();
    thread.join();
    assertNull(loop.runner(), "left");
  }

  /** A thread waiting in the kernel has a state like a running thread. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldHaveNoRunnerWhileItWaitsForTheNetwork() throws InterruptedException {
    LoopBody loop = realLoop();
    RecordingCycle cycle = new RecordingCycle();
    cycle.arrivals = new int[0];
    LoopThread thread = started(loop);
    loop.execute(() -> loop.register(cycle));
    Spin.until(() -> cycle.asked && loop.runner() == null);
    assertEquals(Thread.State.RUNNABLE, thread.getState());
    loop.close();
    thread.join();
  }

  @Test
  void shouldNotParkBeyondDeadlineNorWithWorkNorWhenClosing() {
    LoopBody loop = loop(parker);
    loop.enter();
    RecordingCycle cycle = new RecordingCycle();
    loop.register(cycle);
    BackoffIdle idle = new BackoffIdle(PARKS_AT_ONCE, parker, loop);
    idle.onStart();
    cycle.deadlineNs = nowNs;
    idle.onTurn(0);
    assertEquals(0, loop.counters().parks(), "the deadline is now");
    cycle.deadlineNs = nowNs + 1;
    idle.onTurn(0);
    assertEquals(1, loop.counters().parks(), "for a nanosecond, not for an hour");
    cycle.deadlineNs = DutyCycle.NO_DEADLINE_NS;
    cycle.hasWork = true;
    idle.onTurn(0);
    cycle.hasWork = false;
    loop.execute(() -> {});
    idle.onTurn(0);
    loop.runTurn();
    loop.close();
    idle.onTurn(0);
    assertEquals(1, loop.counters().parks());
  }

  @Test
  void shouldParkAgainAfterAnInterrupt() throws InterruptedException {
    LoopBody loop = realLoop();
    LoopThread thread = started(loop);
    awaitParks(loop, 1);
    thread.interrupt();
    awaitParks(loop, 2);
    AtomicInteger interruptedOnes = new AtomicInteger(-1);
    loop.execute(() -> interruptedOnes.set(Thread.currentThread().isInterrupted() ? 1 : 0));
    await(interruptedOnes, 0);
    assertEquals(0, interruptedOnes.get(), "with the flag set no park would last");
    loop.close();
    thread.join();
  }

  /** A lost wake-up would let the loop sleep for an hour, and this test time out. */
  @Test
  void shouldLoseNoWakeUpForTasks() throws InterruptedException {
    Random random = new Random(SEED);
    LoopBody loop = realLoop();
    LoopThread thread = started(loop);
    AtomicInteger done = new AtomicInteger();
    int rounds = 100_000;
    for (int round = 1; round <= rounds; round++) {
      pause(random);
      loop.execute(done::incrementAndGet);
      await(done, round);
    }
    assertTrue(loop.counters().parks() > rounds / 100, "parks: " + loop.counters().parks());
    loop.close();
    thread.join();
    assertEquals(rounds, done.get());
  }

  /** No fence of its own follows the offer of the second ring. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldLoseNoWakeUpForRingsOfDutyCycles(boolean isSingleProducer)
      throws InterruptedException {
    Random random = new Random(SEED);
    LoopBody loop = realLoop();
    RingCycle cycle =
        new RingCycle(isSingleProducer ? new OneToOneQueue<>(8) : new ManyToOneQueue<>(8));
    LoopThread thread = started(loop);
    loop.execute(() -> loop.register(cycle));
    int rounds = 100_000;
    for (int round = 1; round <= rounds; round++) {
      pause(random);
      assertTrue(cycle.ring.offer(round));
      loop.wakeUp();
      await(cycle.taken, round);
    }
    assertTrue(loop.counters().parks() > rounds / 100, "parks: " + loop.counters().parks());
    loop.close();
    thread.join();
  }

  /**
   * The race that the stress tests look for: a task comes just after the loop has looked for tasks.
   */
  @Test
  void shouldNotSleepOnTaskThatComesAfterItLooked() {
    LoopBody loop = loop(parker);
    loop.enter();
    RecordingCycle cycle =
        new RecordingCycle() {
          @Override
          public boolean hasWork() {
            submitElsewhere(loop);
            return false;
          }
        };
    loop.register(cycle);
    BackoffIdle idle = new BackoffIdle(PARKS_AT_ONCE, parker, loop);
    idle.onStart();
    idle.onTurn(0);
    assertEquals(1, loop.runTurn());
  }

  /** The descriptor of a second wait stands for the network. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldSleepUntilSomethingComesFromTheNetwork() throws InterruptedException {
    LoopBody loop = realLoop();
    try (ArrivalWait network = Objects.requireNonNull(ArrivalWait.open())) {
      ArrivingCycle cycle = new ArrivingCycle(network);
      LoopSettings.Backoff settings = new LoopSettings.Backoff(0, 0, 1, 1_000, HOUR_NS);
      LoopThread thread = started(loop, settings);
      loop.execute(() -> loop.register(cycle));
      for (int round = 1; round <= 1_000; round++) {
        cycle.send();
        await(cycle.taken, round);
        // Tasks end the same kind of sleep.
        AtomicInteger done = new AtomicInteger();
        loop.execute(done::incrementAndGet);
        await(done, 1);
      }
      loop.close();
      thread.join();
    }
  }

  /** A pending error without a reader must neither make the loop spin nor deafen the loop. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldParkBetweenAlarmsThatAreFalse() throws InterruptedException {
    try (ArrivalWait network = Objects.requireNonNull(ArrivalWait.open())) {
      LoopBody loop = realLoop();
      loop.enter();
      RecordingCycle cycle = new RecordingCycle();
      cycle.arrivals = new int[] {network.eventFd()};
      loop.register(cycle);
      LoopSettings.Backoff settings = new LoopSettings.Backoff(0, 0, 1, 1, HOUR_NS);
      BackoffIdle idle = new BackoffIdle(settings, parker, loop);
      idle.onStart();
      network.wakeUp();
      int asked = 0;
      for (int turn = 0; turn < 10; turn++) {
        cycle.asked = false;
        idle.onTurn(0);
        asked += cycle.asked ? 1 : 0;
      }
      assertEquals(10, loop.counters().parks());
      assertEquals(5, asked, "every other sleep is a park");
      idle.onEnd();
    }
  }

  private LoopBody loop(LoopWaker waker) {
    return new LoopBody("loop", new LoopLimits(8, 8), () -> nowNs, waker, (thread, failure) -> {});
  }

  private LoopBody realLoop() {
    return new LoopBody(
        "loop", new LoopLimits(8, 8), SystemNanoClock.INSTANCE, parker, (thread, failure) -> {});
  }

  private LoopThread started(LoopBody loop) {
    return started(loop, PARKS_AT_ONCE);
  }

  private LoopThread started(LoopBody loop, LoopSettings.Backoff settings) {
    IdleStrategy idle = new BackoffIdle(settings, parker, loop);
    LoopThread thread = new LoopThread(loop, idle, LoopSettings.ANY_CORE);
    thread.start();
    return thread;
  }

  /** Shifts the phases of the two threads against each other. */
  private static void pause(Random random) {
    for (int spins = random.nextInt(64); spins > 0; spins--) {
      Thread.onSpinWait();
    }
  }

  private static void submitElsewhere(LoopBody loop) {
    Thread other = new Thread(() -> loop.execute(() -> {}));
    other.start();
    try {
      other.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void await(AtomicInteger counter, int value) {
    Spin.until(() -> counter.get() >= value);
  }

  private static void awaitParks(LoopBody loop, long parks) {
    Spin.until(() -> loop.counters().parks() >= parks);
  }

  private static final class ArrivingCycle extends RecordingCycle {
    final AtomicInteger taken = new AtomicInteger();
    private final AtomicInteger sent = new AtomicInteger();
    private final ArrivalWait network;

    ArrivingCycle(ArrivalWait network) {
      this.network = network;
      arrivals = new int[] {network.eventFd()};
      work =
          _ -> {
            int news = sent.get() - taken.get();
            if (news > 0) {
              network.await(new int[0], 0);
              taken.addAndGet(news);
            }
            return news;
          };
    }

    void send() {
      sent.incrementAndGet();
      network.wakeUp();
    }
  }

  private static final class RingCycle implements DutyCycle {
    final BoundedQueue<Integer> ring;
    final AtomicInteger taken = new AtomicInteger();

    RingCycle(BoundedQueue<Integer> ring) {
      this.ring = ring;
    }

    @Override
    public int doWork(long nowNs) {
      int count = 0;
      while (ring.poll() != null) {
        taken.incrementAndGet();
        count++;
      }
      return count;
    }

    @Override
    public boolean hasWork() {
      return !ring.isEmpty();
    }

    @Override
    public long nextDeadlineNs() {
      return NO_DEADLINE_NS;
    }

    @Override
    public void onClose() {}
  }
}
