package io.millrace.loop.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.config.WorkerSettings.WatchSettings;
import io.millrace.event.TransportEvents;
import io.millrace.loop.WatchedLoop;
import io.millrace.node.HungWorker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The thread of the watchdog, over fake loops. */
@Timeout(60)
class WatchdogTest {
  private static final WatchSettings HANG =
      new WatchSettings(TimeUnit.MILLISECONDS.toNanos(100), 0);

  private final CountDownLatch end = new CountDownLatch(1);
  private final Thread stuck = new Thread(this::waitForEnd, "stuck");
  private final BlockingQueue<HungWorker> hung = new LinkedBlockingQueue<>();
  private final AtomicInteger chores = new AtomicInteger();
  private final List<WatchedLoop> loops = new ArrayList<>();

  @AfterEach
  void end() {
    end.countDown();
  }

  /** Moves at every look, unless frozen. */
  private record Loop(Thread runner, boolean isFrozen, AtomicLong count) implements WatchedLoop {
    @Override
    public long progress() {
      return isFrozen ? 0 : count.incrementAndGet();
    }

    @Override
    public long runnerId() {
      return 0;
    }
  }

  private void waitForEnd() {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void loops(int count, int frozen) {
    stuck.start();
    for (int worker = 0; worker < count; worker++) {
      loops.add(new Loop(stuck, worker == frozen, new AtomicLong()));
    }
  }

  private HungWorker next() throws InterruptedException {
    @Nullable HungWorker next = hung.poll(30, TimeUnit.SECONDS);
    assertTrue(next != null, "nobody was told to hang");
    return next;
  }

  @Test
  void shouldNameTheWorkerAndTellWhereItsThreadIs() throws InterruptedException {
    loops(4, 2);
    BlockingQueue<String> events = new LinkedBlockingQueue<>();
    TransportEvents listener =
        new TransportEvents() {
          @Override
          public void onWorkerHung(int worker, String thread, long hungNs, String stack) {
            events.add(worker + " " + thread + stack);
          }
        };
    try (Watch _ = Watchdog.start(loops, HANG, listener, hung::add, chores::incrementAndGet)) {
      HungWorker told = next();
      assertEquals(2, told.worker());
      assertEquals("stuck", told.thread());
      assertTrue(told.hungNs() >= HANG.hangAfterNs(), told.toString());
      assertTrue(told.toString().contains("WatchdogTest.waitForEnd"), told.toString());
      assertTrue(events.remove().startsWith("2 stuck\n\tat "), "the event came first");
      assertEquals(0, events.size());
    }
  }

  /** A hung thread may hold the lock of an appender, or of another listener. */
  @Test
  void shouldActThoughTellingItHangsToo() throws InterruptedException {
    loops(1, 0);
    TransportEvents listener =
        new TransportEvents() {
          @Override
          public void onWorkerHung(int worker, String thread, long hungNs, String stack) {
            waitForEnd();
          }
        };
    try (Watch _ =
        Watchdog.start(loops, HANG, 1_000_000, listener, hung::add, chores::incrementAndGet)) {
      assertEquals(0, next().worker());
    }
  }

  @Test
  void shouldGoOnAfterAnActionThatThrows() throws InterruptedException {
    loops(2, 0);
    loops.set(1, new Loop(stuck, true, new AtomicLong()));
    try (Watch _ =
        Watchdog.start(
            loops,
            HANG,
            TransportEvents.NONE,
            told -> {
              hung.add(told);
              throw new IllegalStateException("on purpose");
            },
            chores::incrementAndGet)) {
      assertEquals(0, next().worker());
      assertEquals(1, next().worker());
      assertTrue(chores.get() >= 1);
    }
  }

  @Test
  void shouldWatchNothingWhenSwitchedOff() {
    loops(1, 0);
    assertSame(
        Watch.NONE,
        Watchdog.start(
            loops,
            new WatchSettings(0, 0),
            TransportEvents.NONE,
            hung::add,
            chores::incrementAndGet));
  }
}
