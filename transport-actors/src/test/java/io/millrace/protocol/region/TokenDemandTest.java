package io.millrace.protocol.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TokenDemandTest {
  private static final long REFRESH = 1_000;

  private final TokenDemand demand = new TokenDemand(REFRESH);

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
    demand.onExhausted(REFRESH);
    assertFalse(demand.isRequestDue(REFRESH));
    assertEquals(2 * REFRESH, demand.nextDeadlineNs());
    assertThrows(IllegalArgumentException.class, () -> new TokenDemand(0));
  }
}
