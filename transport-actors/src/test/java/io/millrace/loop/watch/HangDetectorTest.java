package io.millrace.loop.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Four workers, watched for hangs of 5 s. */
class HangDetectorTest {
  private static final long HANG_NS = TimeUnit.SECONDS.toNanos(5);
  private static final int LOOKS = 20;
  private static final long PERIOD_NS = HANG_NS / LOOKS;
  private static final long START_NS = Long.MAX_VALUE - HANG_NS / 2; // the clock wraps meanwhile
  private static final long REST_NS = HANG_NS / 4;
  private static final int WORKERS = 4;
  private static final long UNKNOWN = HangDetector.UNKNOWN;

  private final HangDetector detector =
      new HangDetector(WORKERS, HANG_NS, PERIOD_NS, REST_NS, START_NS);
  private final long[] progress = new long[WORKERS];
  private final boolean[] frozen = new boolean[WORKERS];
  private final boolean[] asleep = new boolean[WORKERS];
  private final List<Integer> told = new ArrayList<>();
  private long nowNs = START_NS;

  @Test
  void shouldNameTheOneThatHangsOfFour() {
    look(1);
    frozen[2] = true;
    look(LOOKS - 1);
    assertEquals(List.of(), told);
    look(1);
    assertEquals(List.of(2), told);
    assertEquals(HANG_NS, detector.hungNs(2));
  }

  @Test
  void shouldTellOfEachHangOnce() {
    look(1);
    frozen[1] = true;
    look(3 * LOOKS);
    assertEquals(List.of(1), told);
    frozen[1] = false;
    look(1);
    assertEquals(0, detector.hungNs(1));
    frozen[1] = true;
    look(LOOKS);
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
    for (int pause = 0; pause < LOOKS; pause++) {
      after(TimeUnit.SECONDS.toNanos(1));
      look(1);
    }
    assertEquals(List.of(3), told);
  }

  /**
   * The worker is asleep for want of work, or its loop belongs to an application that does not
   * drive the loop.
   */
  @Test
  void shouldNotTakeAWorkerForHungThatNobodyDrives() {
    look(1);
    frozen[0] = true;
    asleep[0] = true;
    look(5 * LOOKS);
    assertEquals(List.of(), told);
    asleep[0] = false;
    look(LOOKS);
    assertEquals(List.of(0), told, "counted from when it was awake");
  }

  @Test
  void shouldSayWhenToLook() {
    assertEquals(START_NS + PERIOD_NS, detector.nextDeadlineNs());
    detector.onLook(nowNs + HANG_NS);
    assertEquals(START_NS + HANG_NS + PERIOD_NS, detector.nextDeadlineNs());
  }

  @Test
  void shouldLookSeldomWhileAllSleep() {
    Arrays.fill(asleep, true);
    look(1);
    assertEquals(nowNs + PERIOD_NS, detector.nextDeadlineNs(), "they did something before");
    freezeAll(true);
    look(1);
    assertEquals(nowNs + REST_NS, detector.nextDeadlineNs());
    frozen[1] = false;
    after(REST_NS);
    assertEquals(nowNs + PERIOD_NS, detector.nextDeadlineNs(), "one was awake meanwhile");
    frozen[1] = true;
    look(1);
    asleep[3] = false;
    after(REST_NS);
    assertEquals(nowNs + PERIOD_NS, detector.nextDeadlineNs(), "one is awake");
  }

  /** Time asleep does not count as time of a hang. */
  @Test
  void shouldNotChargeARest() {
    freezeAll(true);
    Arrays.fill(asleep, true);
    look(1);
    after(REST_NS);
    asleep[0] = false;
    after(REST_NS);
    assertEquals(0, detector.hungNs(0));
    look(LOOKS - 1);
    assertEquals(List.of(), told);
    look(1);
    assertEquals(List.of(0), told);
  }

  @Test
  void shouldNotHangBeforeItsTime() {
    detector.onLook(nowNs);
    assertFalse(detector.onStanding(0, UNKNOWN, UNKNOWN, true));
    detector.onLook(nowNs + PERIOD_NS);
    assertFalse(detector.onStanding(0, UNKNOWN, UNKNOWN, true));
    assertEquals(PERIOD_NS, detector.hungNs(0));
  }

  /**
   * A worker stands still for twice the time, and each look finds its thread so.
   *
   * @param runNs more processor time than at the look before
   * @param waitNs more time without a core than at the look before
   * @param lookNs since the look before
   */
  record Standing(
      String what, long runNs, long waitNs, boolean isBlocked, long lookNs, boolean hangs) {
    @Override
    public String toString() {
      return what;
    }
  }

  static List<Standing> standings() {
    long late = 3 * PERIOD_NS;
    return List.of(
        new Standing("an endless loop", PERIOD_NS, 0, false, PERIOD_NS, true),
        new Standing(
            "a loop with half a core", PERIOD_NS / 2, PERIOD_NS / 2, false, PERIOD_NS, true),
        new Standing("a lock, or a system call", 0, 0, true, PERIOD_NS, true),
        new Standing("a lock that is tried again and again", 9, 9, true, PERIOD_NS, true),
        new Standing(
            "waits for a core, and gets it for moments", 9, PERIOD_NS - 9, false, PERIOD_NS, false),
        new Standing("waits between locks", 9, PERIOD_NS - 9, true, PERIOD_NS, false),
        new Standing("waits for a core that it does not get", 0, 0, false, PERIOD_NS, false),
        new Standing("stopped by a debugger", 0, 0, false, PERIOD_NS, false),
        new Standing("the process is stopped over and over", 0, 0, true, late, false),
        new Standing("the watchdog waits for a core, too", 9, late - 9, false, late, false),
        new Standing("an endless loop, and the watchdog waits", late, 0, false, late, true));
  }

  @ParameterizedTest
  @MethodSource("standings")
  void shouldChargeAThreadWithTheTimeThatItHadOrCouldHaveHad(Standing each) {
    long runNs = 1_000;
    long waitNs = 1_000;
    boolean isHung = false;
    for (int look = 0; look < 2 * LOOKS; look++) {
      nowNs += each.lookNs();
      runNs += each.runNs();
      waitNs += each.waitNs();
      detector.onLook(nowNs);
      isHung |= detector.onStanding(0, runNs, waitNs, each.isBlocked());
    }
    assertEquals(each.hangs(), isHung, each + ": " + detector.hungNs(0) + " ns");
  }

  /** The machine was suspended while the thread ran; the thread's clock went on. */
  @Test
  void shouldNotTakeAPauseThatCountsAsProcessorTimeForAHang() {
    look(1);
    detector.onLook(nowNs += PERIOD_NS);
    assertFalse(detector.onStanding(0, 1, 1, false));
    detector.onLook(nowNs += 20 * HANG_NS);
    assertFalse(detector.onStanding(0, 20 * HANG_NS, 1, false));
    assertTrue(detector.hungNs(0) <= 2 * PERIOD_NS, detector.hungNs(0) + " ns");
  }

  /** The kernel adds a wait to the sum at the end of the wait. */
  @Test
  void shouldNotChargeALongWaitThatIsToldAtItsEnd() {
    look(1);
    for (int look = 0; look < 3 * LOOKS; look++) {
      detector.onLook(nowNs += PERIOD_NS);
      assertFalse(detector.onStanding(0, 7, 7, false));
    }
    detector.onLook(nowNs += PERIOD_NS);
    assertFalse(detector.onStanding(0, 8, 3 * HANG_NS, true));
    assertTrue(detector.hungNs(0) <= PERIOD_NS + 1, detector.hungNs(0) + " ns");
  }

  private void freezeAll(boolean isFrozen) {
    Arrays.fill(frozen, isFrozen);
  }

  /** Time passes without a run of any thread of the process; then the watchdog runs. */
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
      if (asleep[worker]) {
        detector.onAsleep(worker, progress[worker]);
      } else if (!detector.isStanding(worker, progress[worker])) {
        detector.onMoving(worker, progress[worker]);
      } else if (detector.onStanding(worker, UNKNOWN, UNKNOWN, true)) {
        told.add(worker);
      }
    }
  }
}
