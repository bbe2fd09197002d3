package io.millrace.protocol.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tokens that senders ask for ahead of their need, from both ends. */
class RegionAheadTest extends RegionPoolFixture {
  private static final long SECOND = 1_000;

  private final TokenDemand demand = new TokenDemand(SECOND, 1);

  private RegionPool pool(int regions, long budget, long perHolder) {
    return pool(regions, budget, perHolder, RegionReserve.NONE);
  }

  private RegionPool pool(int regions, long budget, long perHolder, RegionReserve reserve) {
    return new RegionPool(
        new RegionPoolSettings(
            List.of(K64), List.of(regions), budget, K64, perHolder, reserve, true, TIMES),
        (region, endpoint) -> ++lastKey);
  }

  @Test
  void shouldGrantAheadOnlyWhileMoreThanHalfOfTheRegionsStaysFree() {
    pool = pool(8, 1 << 20, 1 << 20);
    RegionHolder a = pool.open("a");
    pool.onAhead(a, 1 << 20);
    assertEquals(List.of("granted a 0 65536", "granted a 1 65536", "granted a 2 65536"), grant(0));
    assertTrue(pool.region(0).isAhead());
    assertEquals(3, pool.counters().grantedAhead());
    assertEquals(List.of(), grant(1));
    asking("b", 7, 5 * K64, K64);
    assertEquals(5, grant(2).size(), "the other half is for who needs it");
  }

  @Test
  void shouldGrantAheadOnlyWhileMoreThanHalfOfTheBudgetStaysFree() {
    pool = pool(32, 8 * K64, 1 << 20);
    RegionHolder a = pool.open("a");
    RegionHolder b = pool.open("b");
    pool.onAhead(a, 1 << 20);
    pool.onAhead(b, 1 << 20);
    assertEquals(List.of("granted a 0 65536", "granted b 1 65536", "granted a 2 65536"), grant(0));
    assertEquals(3 * K64, pool.outstandingBytes());
  }

  @Test
  void shouldGrantNothingAheadFromWhatIsKeptForOthersNorWhileAnybodyWaits() {
    pool = pool(10, 10 * K64, 1 << 20, new RegionReserve(80, 1));
    RegionHolder a = pool.open("a");
    pool.onAhead(a, 1 << 20);
    assertEquals(2, grant(0).size());
    pool = pool(10, 100 * K64, 1 << 20, new RegionReserve(80, 1));
    RegionHolder b = pool.open("b");
    pool.onAhead(b, 1 << 20);
    assertEquals(2, grant(0).size());
    pool.revoke(pool.region(1), 0, said);
    asking("c", 7, 9 * K64, K64);
    asking("d", 7, K64, K64);
    said.take();
    assertEquals(List.of("exhausted c", "exhausted d"), grant(0));
  }

  @Test
  void shouldGiveNoMoreThanWasAskedForNorThanOneMayHold() {
    pool = pool(32, 4 << 20, 3 * K64);
    RegionHolder a = pool.open("a");
    pool.onAhead(a, 2 * K64);
    assertEquals(2, grant(0).size());
    pool.onAhead(a, 9 * K64);
    assertEquals(List.of("granted a 2 65536"), grant(1));
    RegionHolder b = pool.open("b");
    pool.onAhead(b, K64);
    pool.onAhead(b, 0);
    assertEquals(List.of(), grant(2), "it has thought better of it");
    pool.onAhead(b, K64);
    pool.onHolderClosed(b, 3, said);
    pool.onAhead(b, K64);
    assertEquals(List.of(), grant(3));
  }

  @Test
  void shouldServeAllDemandFirstAndPressNobody() {
    pool = pool(8, 8 * K64, 1 << 20);
    RegionHolder a = pool.open("a");
    pool.onAhead(a, 8 * K64);
    RegionHolder b = asking("b", 7, 5 * K64, K64);
    assertEquals(5, grant(0).size());
    assertEquals(0, a.regionCount());
    assertEquals(5, b.regionCount());
    pool.onDeadline(IDLE_REVOKE, said);
    assertEquals(List.of(), said.take(), "nothing is taken from anybody");
    assertEquals(IDLE_TIMEOUT, pool.nextDeadlineNs());
    assertEquals(0, pool.counters().exhausted());
  }

  /** An expired wish counts no more: otherwise two idle nodes would hand a region to and fro. */
  @Test
  void shouldGrantNoMoreAheadToWhomDidNotUseIt() {
    pool = pool(4, 1 << 20, 1 << 20);
    RegionHolder a = pool.open("a");
    pool.onAhead(a, 1 << 20);
    assertEquals(1, grant(0).size());
    pool.onDeadline(IDLE_TIMEOUT, said);
    pool.onDeadline(IDLE_TIMEOUT + QUARANTINE, said);
    said.take();
    assertEquals(List.of(), grant(IDLE_TIMEOUT + QUARANTINE));
    pool.onAhead(a, 4 * K64);
    assertEquals(1, grant(IDLE_TIMEOUT + QUARANTINE).size(), "it asks again");
  }

  @Test
  void shouldTakeBackFirstWhatWasGrantedAhead() {
    pool = pool(8, 1 << 20, 1 << 20);
    RegionHolder a = pool.open("a");
    pool.onAnswerTime(a, 10 * IDLE_REVOKE);
    pool.onDemand(a, 3, K64, K64);
    grant(0);
    pool.onAhead(a, K64);
    grant(0);
    assertFalse(pool.region(0).isAhead());
    assertTrue(pool.region(1).isAhead());
    asking("b", 7, 7 * K64, K64);
    grant(1);
    said.take();
    pool.onDeadline(IDLE_REVOKE, said);
    assertEquals(List.of("released 1", "revoked a 1 taken 0"), said.take());
    assertEquals(IDLE_REVOKE * 10, a.patienceNs(TIMES), "and it counts for nothing");
  }

  @Test
  void shouldGrantWhatIsExpectedBeyondWhatTheHolderHas() {
    pool = pool(16, 4 << 20, 1 << 20);
    RegionHolder a = asking("a", 3, K64, K64);
    grant(0);
    pool.onExpected(a, 3 * K64);
    assertEquals(List.of("granted a 1 65536", "granted a 2 65536"), grant(1));
    assertTrue(pool.region(1).isAhead());
    pool.onExpected(a, K64);
    assertEquals(List.of("granted a 3 65536"), grant(2));
    pool.onExpected(a, -3 * K64);
    pool.onExpected(a, 2 * K64);
    assertEquals(List.of(), grant(3), "it has four regions and is to write three");
    pool.onAhead(a, 0);
    assertEquals(List.of(), grant(4));
  }

  @Test
  void shouldForgetWhatIsExpectedOnceItWasNotUsedInTime() {
    pool = pool(4, 1 << 20, 1 << 20);
    RegionHolder a = pool.open("a");
    pool.onExpected(a, 4 * K64);
    assertEquals(1, grant(0).size(), "half is kept free");
    pool.onDeadline(IDLE_TIMEOUT, said);
    pool.onDeadline(IDLE_TIMEOUT + QUARANTINE, said);
    said.take();
    assertEquals(List.of(), grant(IDLE_TIMEOUT + QUARANTINE));
    pool.onExpected(a, -4 * K64);
    pool.onExpected(a, K64);
    assertEquals(1, grant(IDLE_TIMEOUT + QUARANTINE).size(), "something new is expected");
    pool.onHolderClosed(a, IDLE_TIMEOUT + QUARANTINE, said);
    said.take();
    pool.onExpected(a, K64);
    assertEquals(List.of(), grant(IDLE_TIMEOUT + QUARANTINE));
  }

  @Test
  void shouldExpectNoMoreThanOneMayHold() {
    pool = pool(32, 4 << 20, 3 * K64);
    RegionHolder a = pool.open("a");
    pool.onExpected(a, Long.MAX_VALUE);
    assertEquals(3, grant(0).size());
    pool.onExpected(a, -Long.MAX_VALUE);
    assertEquals(List.of(), grant(1));
  }

  @Test
  void shouldKeepLikeAnyOtherWhatWasUsed() {
    pool = pool(8, 1 << 20, 1 << 20);
    RegionHolder a = pool.open("a");
    pool.onAhead(a, K64);
    grant(0);
    fill(pool.region(0), K64, 5);
    assertFalse(pool.region(0).isAhead());
    said.take();
    pool.onConsumed(pool.region(0), 6, said);
    assertEquals(List.of("reused a 0 fill 2 65536"), said.take());
  }

  @Test
  void shouldAskAheadForWhatWasUsedLatelyWithinItsLimit() {
    demand.askAhead(500);
    assertEquals(0, demand.aheadBytes(0));
    demand.onUsed(300, 0);
    demand.onPossessed(100, 1);
    assertEquals(200, demand.aheadBytes(1));
    assertTrue(demand.isRequestDue(1));
    demand.onTold(1);
    assertFalse(demand.isRequestDue(2));
    demand.onUsed(300, 3);
    assertEquals(400, demand.aheadBytes(3), "500 at most");
    assertTrue(demand.isRequestDue(3));
    demand.onTold(3);
    demand.onPossessed(500, 4);
    assertEquals(0, demand.aheadBytes(4));
    assertFalse(demand.isRequestDue(4));
    demand.onPossessed(400, 5);
    assertFalse(demand.isRequestDue(5), "one of five is gone");
    demand.onPossessed(200, 6);
    assertTrue(demand.isRequestDue(6));
    assertEquals(300, demand.aheadBytes(2 * SECOND - 1));
    assertEquals(0, demand.aheadBytes(2 * SECOND), "nothing was used since");
    assertEquals(Long.MAX_VALUE, demand.nextDeadlineNs());
  }

  @Test
  void shouldRememberTheUseOfTheIntervalBefore() {
    demand.askAhead(500);
    demand.onUsed(300, 0);
    demand.onUsed(10, SECOND);
    assertEquals(300, demand.aheadBytes(SECOND));
    demand.onUsed(20, 2 * SECOND);
    assertEquals(20, demand.aheadBytes(2 * SECOND));
    demand.onUsed(30, 9 * SECOND);
    assertEquals(30, demand.aheadBytes(9 * SECOND));
  }

  @Test
  void shouldCountWhatItWantsAnywayAndAskForItWithTheSameRequest() {
    demand.askAhead(500);
    demand.onUsed(400, 0);
    demand.onDesired(3, 300, 300);
    assertEquals(100, demand.aheadBytes(0));
    assertTrue(demand.isRequestDue(0));
    demand.onTold(0);
    assertFalse(demand.isRequestDue(1));
    demand.onExhausted(1, 0, 1);
    demand.onUsed(400, 1);
    assertFalse(demand.isRequestDue(1), "a receiver that has nothing has nothing ahead");
  }

  @Test
  void shouldNotAskAheadUnlessItIsToldTo() {
    demand.onUsed(300, 0);
    demand.onPossessed(0, 0);
    assertEquals(0, demand.aheadBytes(1));
    assertFalse(demand.isRequestDue(1));
  }
}
