package io.millrace.protocol.congestion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.protocol.transfer.ReceiveCredit;
import io.millrace.protocol.transfer.SendCredit;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The bytes that may be on their way to a worker, granted and ungranted, and a path's share of
 * these bytes; rule C-7.
 */
class ReceiveBudgetTest {
  private static final long MILLI = 1_000_000;
  private static final long LIFETIME_NS = ReceiveBudget.CREDIT_LIFETIME_MS * MILLI;
  private static final long BASE = 192;
  private static final long MOST = 1 << 20;

  /** 100 Mbit/s behind a queue of 64 KiB. */
  private final ReceiveBudget budget = new ReceiveBudget(12_500_000, 64 << 10);

  @Test
  void shouldAllowWhatTheLinkAndItsQueueTake() {
    long queue = (64 << 10) * 7 / 8;
    assertEquals(queue, budget.limitBytes());
    for (int i = 0; i < 1_000; i++) {
      budget.onRtt(2 * MILLI);
    }
    assertTrue(Math.abs(25_000 + queue - budget.limitBytes()) < 200);
    budget.onRtt(0);
    assertTrue(
        Math.abs(12_500 + queue - budget.limitBytes()) < 200, "short ones are believed at once");
    assertFalse(new ReceiveBudget(0, 1 << 20).isBounded());
    assertEquals(Long.MAX_VALUE, new ReceiveBudget(0, 1 << 20).grantBytes());
  }

  @Test
  void shouldShareAQuarterAmongActivePathsAndTakeItBackFromSilentOnes() {
    Random random = new Random(7);
    ReceiveCredit[] credits = new ReceiveCredit[300];
    long nowNs = 0;
    for (int i = 0; i < credits.length; i++) {
      credits[i] = new ReceiveCredit(BASE, MOST, budget);
      credits[i].announce(nowNs);
      assertTrue(budget.unaskedBytes() <= budget.limitBytes() / 4);
      assertEquals(budget.limitBytes() - budget.unaskedBytes(), budget.grantBytes());
    }
    assertTrue(budget.unaskedBytes() > budget.limitBytes() / 8);
    for (int i = 0; i < 10_000; i++) {
      nowNs += random.nextInt(1_000_000);
      credits[random.nextInt(credits.length)].announce(nowNs);
      budget.onTurn(nowNs);
      assertTrue(budget.unaskedBytes() <= budget.limitBytes() / 4);
    }

    budget.onTurn(nowNs + 2 * LIFETIME_NS);

    assertEquals(0, budget.unaskedBytes());
  }

  @Test
  void shouldGiveAPathThatIsAloneRoomForADatagramAndCountWhatArrives() {
    ReceiveCredit receiver = new ReceiveCredit(BASE, MOST, budget);
    SendCredit sender = new SendCredit(BASE, LIFETIME_NS);
    assertTrue(receiver.isWorthTelling());

    sender.onLimit(receiver.announce(0), 1, 0);

    assertFalse(receiver.isWorthTelling());
    assertTrue(sender.canSend(8_192));
    long share = budget.unaskedBytes();
    sender.onSent(8_000);
    assertTrue(receiver.onReceived(8_000));
    assertEquals(share - 8_000, budget.unaskedBytes());
    receiver.close(0);
    assertEquals(0, budget.unaskedBytes());
  }

  @Test
  void shouldLetAnOldLimitGoButForTheBaseAndWhatWaits() {
    SendCredit sender = new SendCredit(BASE, LIFETIME_NS);
    sender.onLimit(10_000, 1, 0);
    sender.onTime(0, LIFETIME_NS - 1);
    assertTrue(sender.isWorthWaiting(9_000, 0));
    assertFalse(sender.isWorthWaiting(9_000, 2_000), "what waits already goes first");

    sender.onTime(5_000, LIFETIME_NS);

    assertEquals(5_000, sender.availableBytes(), "what waits keeps its credit");
    sender.onSent(5_000);
    sender.onTime(0, LIFETIME_NS + 1);
    assertFalse(sender.canSend((int) BASE));
    sender.onLimit(10_000, 1, LIFETIME_NS + 2);
    assertFalse(sender.canSend(1), "it was overtaken, or came twice");
    sender.onLimit(9_000, 2, LIFETIME_NS + 2);
    assertEquals(4_000, sender.availableBytes(), "the newest counts");
    sender.onTime(0, 3 * LIFETIME_NS);
    assertEquals(BASE, sender.availableBytes());
    assertTrue(sender.isWorthWaiting((int) BASE, 1 << 20), "the base comes back by itself");
  }

  @Test
  void shouldSayThatTheBaseIsFreeAgainOnceNothingIsOutstanding() {
    ReceiveCredit receiver = new ReceiveCredit(BASE, MOST, budget);
    // Other paths have the whole shared part.
    ReceiveCredit[] others = new ReceiveCredit[20];
    for (int i = 0; i < others.length; i++) {
      others[i] = new ReceiveCredit(BASE, MOST, budget);
      others[i].announce(0);
    }

    assertTrue(receiver.onReceived(70));
    receiver.onConsumed(70);

    assertTrue(receiver.isAnnouncementDue(), "its sender may need all of the base for one message");
    assertEquals(70 + BASE, receiver.announce(0));
    receiver.onAnnouncementTracked();
    assertFalse(receiver.isAnnouncementDue());
  }

  @Test
  void shouldKeepGrantsToTheirRate() {
    ReceiveBudget paced = new ReceiveBudget(0, 0, 100_000_000);
    long nowNs = 0;
    long granted = 0;
    while (nowNs < 1_000 * MILLI) {
      long bytes = paced.pacedBytes(1 << 16, nowNs);
      paced.onGranted(bytes, nowNs);
      granted += bytes;
      long nextNs = paced.nextGrantNs(nowNs);
      nowNs = nextNs == Long.MAX_VALUE ? nowNs + 1 : nextNs;
    }
    assertTrue(granted <= 12_500_000 + (1 << 16), "one step beyond the rate: " + granted);
    assertTrue(granted > 12_300_000, "the rate is used: " + granted);
    assertEquals(Long.MAX_VALUE, budget.pacedBytes(1 << 16, 0), "no rate, no bound");
  }
}
