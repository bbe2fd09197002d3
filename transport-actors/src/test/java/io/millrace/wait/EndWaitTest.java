package io.millrace.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A wait of an end lasts as long as the part or the limit, whatever interrupts its thread. */
@Timeout(60)
class EndWaitTest {
  private static final long LIMIT_NS = 100;

  private final List<Long> timeoutsNs = new ArrayList<>();
  private long nowNs = 1_000;

  /** Without this reset the interrupt flag would reach the next test. */
  @AfterEach
  void clearInterrupt() {
    var _ = Thread.interrupted();
  }

  /** Waits until so many interrupts have come, 60 ns each; the part ends then, or not. */
  private boolean await(int interrupts, boolean ends) {
    return EndWait.await(
        () -> nowNs,
        LIMIT_NS,
        timeoutNs -> {
          timeoutsNs.add(timeoutNs);
          if (timeoutsNs.size() <= interrupts) {
            nowNs += 60;
            throw new InterruptedException();
          }
          return ends;
        });
  }

  /** A close may meet a thread that another thread is about to start. */
  @Test
  void shouldNotWaitForAThreadThatWasNotStarted() {
    assertFalse(EndWait.await(new Thread(() -> {}), 1_000_000_000L));
  }

  @Test
  void shouldWaitOnceWithoutAnInterrupt() {
    assertTrue(await(0, true));
    assertFalse(Thread.currentThread().isInterrupted());
    assertEquals(List.of(LIMIT_NS), timeoutsNs);
  }

  @Test
  void shouldWaitForTheRestOfTheLimitAfterAnInterrupt() {
    assertTrue(await(1, true));
    assertTrue(Thread.currentThread().isInterrupted());
    assertEquals(List.of(100L, 40L), timeoutsNs);
  }

  @Test
  void shouldLookOnceMoreAfterTheLimit() {
    assertFalse(await(2, false));
    assertTrue(Thread.currentThread().isInterrupted());
    assertEquals(List.of(100L, 40L, 0L), timeoutsNs);
  }

  @Test
  void shouldWaitForAThreadWhileInterrupted() {
    Thread closer = Thread.currentThread();
    Thread ending =
        new Thread(
            () -> {
              while (closer.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
              }
            });
    ending.setDaemon(true);
    ending.start();
    closer.interrupt();
    assertTrue(EndWait.await(ending, Long.MAX_VALUE / 2));
    assertTrue(closer.isInterrupted());
  }
}
