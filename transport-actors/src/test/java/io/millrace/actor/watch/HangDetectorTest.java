package io.millrace.actor.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Four workers, watched for hangs of 5 s. */
class HangDetectorTest {
  private static final long HANG_NS = TimeUnit.SECONDS.toNanos(5);
  private static final long PERIOD_NS = HANG_NS / HangDetector.LOOKS;
  private static final long START_NS = Long.MAX_VALUE - HANG_NS / 2; // the clock wraps meanwhile
  private static final int WORKERS = 4;

  private final HangDetector detector = new HangDetector(WORKERS, HANG_NS, START_NS);
  private final long[] progress = new long[WORKERS];
  private final boolean[] frozen = new boolean[WORKERS];
  private final boolean[] asleep = new boolean[WORKERS];
  private final List<Integer> told = new ArrayList<>();
  private long nowNs = START_NS;

  @Test
  void shouldNameTheOneThatHangsOfFour() {
    look(1);
    frozen[2] = true;
    look(HangDetector.LOOKS - 1);
    assertEquals(List.of(), told);
    look(1);
    assertEquals(List.of(2), told);
    assertEquals(HANG_NS, detector.hungNs(2));
  }

  @Test
  void shouldTellOfEachHangOnce() {
    look(1);
    frozen[1] = true;
    look(3 * HangDetector.LOOKS);
    assertEquals(List.of(1), told);
    frozen[1] = false;
    look(1);
    assertEquals(0, detector.hungNs(1));
    frozen[1] = true;
    look(HangDetector.LOOKS);
    assertEquals(List.of(1, 1), told);
  }

  /** A collection, a stop by a signal or a debugger, a suspended machine. */
  @ParameterizedTest
  @ValueSource(longs = {1, 20, 100_000})
  void shouldCountNoPauseOfTheWholeProcess(long pauseS) {
    for (int pause = 0; pause < 10; pause++) {
      look(1);
      freezeAll(true);
      after(TimeUnit.SECONDS.toNanos(pauseS));
      look(2);
      freezeAll(false);
    }
    assertEquals(List.of(), told);
  }

  @Test
  void shouldStillFindAHangThatPausesInterrupt() {
    look(1);
    frozen[3] = true;
    for (int pause = 0; pause < HangDetector.LOOKS; pause++) {
      after(TimeUnit.SECONDS.toNanos(1));
      look(1);
    }
    assertEquals(List.of(3), told);
  }

  /** It is asleep for want of work, or its loop is the application's, which does not drive it. */
  @Test
  void shouldNotTakeAWorkerForHungThatNobodyDrives() {
    look(1);
    frozen[0] = true;
    asleep[0] = true;
    look(5 * HangDetector.LOOKS);
    assertEquals(List.of(), told);
    asleep[0] = false;
    look(HangDetector.LOOKS);
    assertEquals(List.of(0), told, "counted from when it was awake");
  }

  @Test
  void shouldSayWhenToLook() {
    assertEquals(START_NS + PERIOD_NS, detector.nextDeadlineNs());
    detector.onLook(nowNs + HANG_NS);
    assertEquals(START_NS + HANG_NS + PERIOD_NS, detector.nextDeadlineNs());
  }

  @Test
  void shouldNotHangBeforeItsTime() {
    detector.onLook(nowNs);
    assertFalse(detector.onWorker(0, true, 0));
    detector.onLook(nowNs + PERIOD_NS);
    assertFalse(detector.onWorker(0, true, 0));
    assertTrue(detector.hungNs(0) == PERIOD_NS);
  }

  private void freezeAll(boolean isFrozen) {
    Arrays.fill(frozen, isFrozen);
  }

  /** Time passes in which nothing of the process runs; then the watchdog does. */
  private void after(long pauseNs) {
    nowNs += pauseNs;
    onLook();
  }

  private void look(int times) {
    for (int i = 0; i < times; i++) {
      nowNs += PERIOD_NS;
      onLook();
    }
  }

  private void onLook() {
    detector.onLook(nowNs);
    for (int worker = 0; worker < WORKERS; worker++) {
      if (!frozen[worker]) {
        progress[worker]++;
      }
      if (detector.onWorker(worker, !asleep[worker], progress[worker])) {
        told.add(worker);
      }
    }
  }
}
