package io.millrace.protocol.congestion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Grants for foreseen answers: rule C-10. */
class AnswerScheduleTest {
  private static final int BYTES = 4_000;
  private static final long RTT_NS = 100_000;
  private static final long SECOND_NS = 1_000_000_000;
  private static final long BYTES_PER_SECOND = 12_500_000;

  private final ReceiveBudget budget = new ReceiveBudget(BYTES_PER_SECOND, 64 << 10);
  private final AnswerSchedule schedule = budget.answers();
  private final List<AnswerSchedule.Promise> promises = new ArrayList<>();
  private final List<Integer> pulled = new ArrayList<>();

  private void promise(int count) {
    for (int i = 0; i < count; i++) {
      AnswerSchedule.Promise promise = Objects.requireNonNull(schedule.prepare(pulled::add));
      schedule.promise(promise, BYTES, RTT_NS, 0);
      promises.add(promise);
    }
  }

  private static long sentNs(AnswerSchedule.Promise promise) {
    return promise.delayUs() * 1_000;
  }

  @Test
  void shouldSpreadAnswersAtTheRateOfTheLink() {
    promise(100);
    long early = budget.limitBytes() / 8;
    for (int i = 0; i < 100; i++) {
      AnswerSchedule.Promise promise = promises.get(i);
      long behind = (long) i * BYTES;
      long carried = early + (sentNs(promise) + RTT_NS) * BYTES_PER_SECOND / SECOND_NS;
      assertEquals(BYTES, promise.toldBytes());
      assertTrue(carried >= behind || sentNs(promise) == 0, i + " is too early");
      assertTrue(sentNs(promise) < behind * 1.1 * SECOND_NS / BYTES_PER_SECOND + RTT_NS);
    }
  }

  @Test
  void shouldTakePromisedBytesFromOtherGrantsUntilTheyCome() {
    long whole = budget.grantBytes();
    promise(1);
    assertEquals(whole - BYTES, budget.grantBytes());
    promise(99);
    assertEquals(whole - budget.limitBytes() / 2, budget.grantBytes());
    for (AnswerSchedule.Promise promise : promises) {
      long atNs = sentNs(promise) + RTT_NS;
      budget.onTurn(atNs);
      schedule.onAnswer(promise, BYTES, atNs + 5_000_000);
    }
    assertEquals(whole, budget.grantBytes());
    assertEquals(List.of(), pulled);
  }

  @Test
  void shouldGiveTheBytesBackWhereNoAnswerComes() {
    long whole = budget.grantBytes();
    promise(10);
    budget.onTurn(schedule.nextEndNs() - 1);
    assertTrue(budget.grantBytes() < whole);
    budget.onTurn(SECOND_NS);
    assertEquals(whole, budget.grantBytes());
    assertEquals(Long.MAX_VALUE, schedule.nextEndNs());
  }

  @Test
  void shouldReserveLessWhereAnswersComeAnotherWay() {
    long whole = budget.grantBytes();
    promise(100);
    for (int i = 0; i < 4; i++) {
      schedule.onMissed(promises.get(i));
    }
    assertEquals(whole, budget.grantBytes());
  }

  @Test
  void shouldPullTheLastAnswersWhereAnswersAreShorter() {
    promise(100);
    long lateNs = 10_000_000;
    schedule.onAnswer(promises.get(0), BYTES / 2, lateNs);
    assertEquals(List.of(), pulled);
    schedule.onAnswer(promises.get(1), BYTES / 2, lateNs);
    assertEquals(List.of(BYTES), pulled);
    assertEquals(BYTES, promises.get(99).pulledBytes());
    assertEquals(0, promises.get(98).pulledBytes());
  }

  /** Light calls overlap, so that a promise is always open; each answer is early or short. */
  @Test
  void shouldKeepNoRoomOfATimeThatHasPassed() {
    AnswerSchedule.Promise open = Objects.requireNonNull(schedule.prepare(pulled::add));
    schedule.promise(open, BYTES, RTT_NS, 0);
    long nowNs = 0;
    for (int i = 0; i < 1_000; i++) {
      AnswerSchedule.Promise next = Objects.requireNonNull(schedule.prepare(pulled::add));
      nowNs += 1_000_000;
      schedule.promise(next, BYTES, RTT_NS, nowNs);
      schedule.onAnswer(open, BYTES / 2, nowNs);
      schedule.release(open);
      open = next;
    }
    for (int i = 0; i < 600; i++) {
      AnswerSchedule.Promise next = Objects.requireNonNull(schedule.prepare(pulled::add));
      schedule.promise(next, BYTES, RTT_NS, nowNs);
    }
    schedule.onAnswer(open, BYTES, nowNs + 2 * RTT_NS);
    assertTrue(pulled.size() <= 1, pulled.size() + " answers come at once");
  }

  @Test
  void shouldPullNoMoreThanTheBudgetAtOnce() {
    promise(400);
    for (int i = 0; i < 40; i++) {
      schedule.onAnswer(promises.get(i), 0, 10_000_000);
      assertTrue(pulled.size() <= (i + 1));
    }
    long bytes = pulled.stream().mapToLong(Integer::longValue).sum();
    assertTrue(pulled.size() > 1 && bytes <= budget.limitBytes(), bytes + " bytes");
  }

  @Test
  void shouldPullNothingWhereTheBudgetIsCredit() {
    ReceiveBudget.Share share = new ReceiveBudget.Share();
    promise(100);
    budget.take(share, budget.limitBytes(), 0);
    schedule.onAnswer(promises.get(0), 0, 10_000_000);
    assertEquals(List.of(), pulled);
    budget.take(share, 0, 0);
    schedule.onAnswer(promises.get(1), 0, 10_000_000);
    assertEquals(List.of(BYTES), pulled);
  }

  @Test
  void shouldSpreadAnswersAtTheRateOfTheNewLink() {
    promise(50);
    budget.onLink(BYTES_PER_SECOND / 10, 64 << 10, 0);
    promise(50);
    long early = budget.limitBytes() / 8;
    for (int i = 50; i < 100; i++) {
      long behind = (long) i * BYTES;
      long carried = early + sentNs(promises.get(i)) * (BYTES_PER_SECOND / 10) / SECOND_NS;
      assertTrue(carried >= behind, i + " is too early");
    }
    assertEquals(budget.limitBytes() / 2, budget.limitBytes() - budget.grantBytes());
  }

  @Test
  void shouldUsePromisesAgain() {
    promise(1);
    schedule.release(promises.getFirst());
    assertEquals(promises.getFirst(), schedule.prepare(pulled::add));
    assertEquals(0, promises.getFirst().toldBytes());
  }
}
