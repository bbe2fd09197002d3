package io.millrace.path.packet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.protocol.schedule.Timer;
import io.millrace.protocol.schedule.TimingWheel;
import org.junit.jupiter.api.Test;

/** The time in which a worker stood still; rule L-1. */
class WorkerTimeTest {
  private static final long MS = 1 << 20;

  private final TimingWheel wheel = new TimingWheel(1 << 10, 1 << 10, 0);
  private final WorkerTime time = new WorkerTime(wheel);

  private void wakeAt(long ns) {
    wheel.schedule(new Timer((_, _) -> {}, 0), ns);
  }

  private void turn(long ns) {
    time.onTurn(ns);
    wheel.advance(ns, Integer.MAX_VALUE);
  }

  @Test
  void shouldCountAShareOfTheTimeAheadOfALateTurn() {
    wakeAt(0);
    turn(200 * MS);
    assertEquals(180 * MS, time.absentNs());
  }

  @Test
  void shouldForgiveTheEndOfALongRest() {
    wakeAt(10_000 * MS);
    turn(10_200 * MS);
    long restNs = WorkerTime.FORGIVEN_REST_NS;
    assertEquals(200 * MS + restNs - 30_000_000, time.absentNs(), "a packet would have come");
  }

  @Test
  void shouldCountLittleOfALongStall() {
    wakeAt(0);
    turn(10_000 * MS);
    assertEquals(10_000 * MS - 30_000_000, time.absentNs());
  }

  @Test
  void shouldNotForgiveARestWithoutALateTurn() {
    turn(10_000 * MS);
    wakeAt(20_000 * MS);
    turn(20_100 * MS);
    assertEquals(0, time.absentNs());
  }
}
