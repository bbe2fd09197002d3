package io.millrace.protocol.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TokenDemandTest {
  private static final long REFRESH = 1_000;

  private final TokenDemand demand = new TokenDemand(REFRESH, 1);

  @Test
  void shouldAskOnceForWhatTenThousandTransfersWant() {
    assertFalse(demand.isRequestDue(0));
    for (int i = 0; i < 10_000; i++) {
      demand.onDesired(3, 1_000, 1_000);
    }
    assertTrue(demand.isRequestDue(0));
    assertEquals(10_000_000, demand.wantedBytes(3));
    assertEquals(1_000, demand.largestBytes(3));
    assertEquals(1, demand.nextRequestId());
    demand.onTold(0);
    assertEquals(1, demand.requestId());
    assertFalse(demand.isRequestDue(0));
  }

  @Test
  void shouldCoverBetterPrioritiesFirst() {
    demand.onDesired(0, 100, 100);
    demand.onDesired(2, 100, 50);
    demand.onDesired(7, 100, 10);
    demand.onUsable(150);
    assertEquals(0, demand.wantedBytes(0));
    assertEquals(50, demand.wantedBytes(2));
    assertEquals(100, demand.wantedBytes(7));
    demand.onUsable(1_000);
    assertFalse(demand.isRequestDue(0));
  }

  @Test
  void shouldNotAskAgainForWhatWasGrantedOrTaken() {
    demand.onDesired(3, 1_000, 1_000);
    demand.onTold(0);
    demand.onAuthorised(1, 600, 1);
    demand.onUsable(600);
    assertEquals(400, demand.wantedBytes(3));
    assertFalse(demand.isRequestDue(1));
    demand.onDesired(3, -600, 1_000);
    demand.onUsable(0);
    assertEquals(400, demand.wantedBytes(3));
    assertFalse(demand.isRequestDue(1));
  }

  @Test
  void shouldAskWhenATokenWasLost() {
    demand.onDesired(3, 1_000, 1_000);
    demand.onTold(0);
    demand.onAuthorised(1, 1_000, 1);
    demand.onUsable(1_000);
    assertFalse(demand.isRequestDue(1));
    demand.onUsable(0);
    assertTrue(demand.isRequestDue(1));
  }

  @Test
  void shouldNotCountAGrantThatCrossedTheNewestRequest() {
    demand.onDesired(3, 1_000, 1_000);
    demand.onTold(0);
    demand.onDesired(3, 1_000, 1_000);
    demand.onTold(0);
    demand.onAuthorised(1, 1_000, 1);
    demand.onUsable(1_000);
    assertFalse(demand.isRequestDue(1), "the receiver's picture is too large, but not by far");
    demand.onDesired(3, -1_100, 1_000);
    demand.onUsable(0);
    assertEquals(900, demand.wantedBytes(3));
    assertTrue(demand.isRequestDue(1));
  }

  @Test
  void shouldTakeBackWhatIsNoLongerWanted() {
    demand.onDesired(3, 1_000, 1_000);
    demand.onTold(0);
    demand.onDesired(3, -1_000, 0);
    assertTrue(demand.isRequestDue(0));
    assertEquals(0, demand.largestBytes(3));
    demand.onTold(0);
    assertFalse(demand.isRequestDue(10 * REFRESH));
    assertEquals(Long.MAX_VALUE, demand.nextDeadlineNs());
  }

  @Test
  void shouldBearSmallChangesAndTellLargeOnes() {
    demand.onDesired(3, 1_000, 1_000);
    demand.onTold(0);
    demand.onDesired(3, 250, 1_000);
    assertFalse(demand.isRequestDue(0));
    demand.onDesired(3, 1, 1_000);
    assertTrue(demand.isRequestDue(0));
    demand.onDesired(3, -751, 1_000);
    assertFalse(demand.isRequestDue(0));
    demand.onDesired(3, -1, 1_000);
    assertTrue(demand.isRequestDue(0));
  }

  @Test
  void shouldSayAgainWhatWasLostIfItWasTheNewest() {
    demand.onDesired(3, 1_000, 1_000);
    demand.onTold(0);
    demand.onTold(0);
    demand.onLost(1);
    assertFalse(demand.isRequestDue(0));
    demand.onLost(2);
    assertTrue(demand.isRequestDue(0));
    demand.onTold(0);
    assertFalse(demand.isRequestDue(0));
  }

  @Test
  void shouldAskAgainWhenNothingComesForLong() {
    demand.onDesired(3, 1_000, 1_000);
    demand.onTold(0);
    assertEquals(REFRESH, demand.nextDeadlineNs());
    assertFalse(demand.isRequestDue(REFRESH - 1));
    assertTrue(demand.isRequestDue(REFRESH));
    demand.onTold(REFRESH);
    assertFalse(demand.isRequestDue(REFRESH));
    assertEquals(2 * REFRESH, demand.nextDeadlineNs());
    demand.onExhausted(2, 0, 2 * REFRESH);
    assertTrue(demand.nextDeadlineNs() >= 3 * REFRESH);
    assertThrows(IllegalArgumentException.class, () -> new TokenDemand(0, 1));
  }

  @Test
  void shouldWaitForAsLongAsTheReceiverSaysAndALittle() {
    demand.onDesired(3, 1_000, 1_000);
    demand.onTold(0);
    demand.onExhausted(1, 400, 10);
    long dueNs = demand.nextDeadlineNs();
    assertTrue(dueNs >= 410 && dueNs <= 510, () -> "due at " + dueNs);
    demand.onDesired(3, 5_000, 1_000);
    assertFalse(demand.isRequestDue(dueNs - 1), "the receiver has nothing: more is no news");
    assertTrue(demand.isRequestDue(dueNs));
    demand.onDesired(0, 10, 10);
    assertTrue(demand.isRequestDue(11), "it knows nothing of this priority");
  }

  @Test
  void shouldTakeBackWhatItWaitsFor() {
    demand.onDesired(3, 1_000, 1_000);
    demand.onTold(0);
    demand.onExhausted(1, 400, 10);
    demand.onDesired(3, -1_000, 0);
    assertTrue(demand.isRequestDue(11));
  }

  @Test
  void shouldAskForMoreAtOnceWhenSomethingCame() {
    demand.onDesired(3, 1_000, 1_000);
    demand.onTold(0);
    demand.onExhausted(1, 400, 10);
    demand.onDesired(3, 5_000, 1_000);
    demand.onAuthorised(1, 100, 20);
    demand.onUsable(100);
    assertTrue(demand.isRequestDue(20));
    assertEquals(20 + REFRESH, demand.nextDeadlineNs());
  }

  @Test
  void shouldBoundTheWaitAndGrowItsLeastWhileNothingComes() {
    demand.onDesired(3, 1_000, 1_000);
    demand.onTold(0);
    long now = 0;
    for (long leastNs = REFRESH / 64; leastNs < REFRESH; leastNs *= 2) {
      demand.onExhausted(demand.requestId(), 1, now);
      long waitNs = demand.nextDeadlineNs() - now;
      assertTrue(waitNs >= leastNs && waitNs <= leastNs + leastNs / 4, "waits " + waitNs);
      now = demand.nextDeadlineNs();
      assertTrue(demand.isRequestDue(now));
      demand.onTold(now);
    }
    demand.onExhausted(demand.requestId(), Long.MAX_VALUE, now);
    long longestNs = demand.nextDeadlineNs() - now;
    assertTrue(longestNs >= 4 * REFRESH && longestNs <= 5 * REFRESH, "waits " + longestNs);
    demand.onTold(now);
    assertEquals(now + REFRESH, demand.nextDeadlineNs(), "the answer may be lost");
  }

  @Test
  void shouldNotMindAnAnswerToAnOlderRequest() {
    demand.onDesired(3, 1_000, 1_000);
    demand.onTold(0);
    demand.onTold(0);
    demand.onExhausted(1, 400, 10);
    assertEquals(REFRESH, demand.nextDeadlineNs());
  }

  @Test
  void shouldStrayDifferentlyOnEachPathAndTheSameInEachRun() {
    JitteredWait one = new JitteredWait(1);
    JitteredWait again = new JitteredWait(1);
    JitteredWait other = new JitteredWait(2);
    int different = 0;
    for (int i = 0; i < 100; i++) {
      long waitNs = one.stray(1_000_000);
      assertEquals(waitNs, again.stray(1_000_000));
      assertTrue(waitNs >= 1_000_000 && waitNs <= 1_250_000);
      different += waitNs == other.stray(1_000_000) ? 0 : 1;
    }
    assertTrue(different > 90);
    assertEquals(0, one.stray(0));
  }

  @Test
  void shouldWaitLongerEachTimeThatItsFillsAreRevoked() {
    TokenDemand other = new TokenDemand(1_000_000_000, 3);
    other.onDesired(3, 1_000, 1_000);
    assertFalse(other.onFillRevoked(0), "that happens");
    assertFalse(other.onFillRevoked(0), "all of one frame are one");
    assertTrue(other.isRequestDue(0));
    long now = 0;
    for (long leastNs = 1_000_000; leastNs <= 128_000_000; leastNs *= 2) {
      now++;
      assertTrue(other.onFillRevoked(now));
      long untilNs = other.nextDeadlineNs();
      long waitNs = untilNs - now;
      assertTrue(waitNs >= leastNs && waitNs <= leastNs + leastNs / 4, "waits " + waitNs);
      assertFalse(other.onFillRevoked(now + 1), "it waits already");
      assertEquals(untilNs, other.nextDeadlineNs());
      assertFalse(other.isRequestDue(untilNs - 1));
      assertTrue(other.isRequestDue(untilNs));
      now = untilNs;
    }
    assertTrue(other.onFillRevoked(now + 1));
    assertTrue(other.nextDeadlineNs() - now <= 161_000_000, "no longer than that");
  }

  @Test
  void shouldForgetARevocationWithEachFillThatWasTakenOut() {
    TokenDemand other = new TokenDemand(1_000_000_000, 3);
    other.onDesired(3, 1_000, 1_000);
    for (int i = 1; i < 100; i++) {
      assertFalse(other.onFillRevoked(i));
      other.onFillTakenOut();
      other.onFillTakenOut();
    }
    assertFalse(other.onFillRevoked(200));
    assertTrue(other.onFillRevoked(300));
    assertEquals(1, (other.nextDeadlineNs() - 300) / 1_000_000);
    assertFalse(other.isRequestDue(301));
    assertTrue(other.isRequestDue(2_000_300));
    other.onTold(2_000_300);
    assertEquals(1_002_000_300, other.nextDeadlineNs(), "the pause is over");
  }
}
