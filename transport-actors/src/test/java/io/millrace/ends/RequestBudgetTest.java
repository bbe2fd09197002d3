package io.millrace.ends;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;

final class RequestBudgetTest {
  private static final long BUDGET_BYTES = 100_000;
  private static final int REQUEST_BYTES = 1_000 - 256;

  private final RequestBudget budget = new RequestBudget(BUDGET_BYTES);

  private static int fill(RequestBudget.Share share) {
    int taken = 0;
    while (share.reserve(REQUEST_BYTES) > 0) {
      taken++;
    }
    return taken;
  }

  @Test
  void shouldLeaveRoomForEachPeerThatComes() {
    // rule C-9
    RequestBudget.Share first = budget.open("first");
    assertEquals(50, fill(first));
    RequestBudget.Share second = budget.open("second");
    assertEquals(25, fill(second));
    first.giveBack(20_000);
    assertEquals(10, fill(second));
    assertEquals(3, fill(first));
    assertTrue(budget.usedBytes() <= BUDGET_BYTES);
  }

  @Test
  void shouldTellTheTimeInWhichAQuarterIsAnswered() {
    // rule C-11
    RequestBudget.Share share = budget.open("peer");
    fill(share);
    assertEquals(0, budget.retryAfterMs(0), "no rate is known yet");
    for (int ms = 1; ms <= 10; ms++) {
      share.giveBack(1_000);
      assertEquals(1_000, share.reserve(REQUEST_BYTES));
      int afterMs = budget.retryAfterMs(ms * 1_000_000L);
      assertEquals(13, afterMs, "12,500 of 50,000 bytes at 1,000 in a ms");
    }
    assertEquals(0, budget.retryAfterMs(5_000_000_000L), "a rate so old says nothing");
  }

  @Test
  void shouldTakeARequestAsLargeAsAllIfThereIsNoOther() {
    RequestBudget.Share share = budget.open("peer");
    assertEquals(BUDGET_BYTES, share.reserve(BUDGET_BYTES - 256));
    assertEquals(0, share.reserve(0));
    share.giveBack(BUDGET_BYTES);
    assertEquals(0, share.reserve(BUDGET_BYTES));
  }

  @Test
  void shouldCountAllPathsOfAPeerAndForgetItWithTheLastRequest() {
    RequestBudget.Share first = budget.open("peer");
    RequestBudget.Share second = budget.open("peer");
    assertEquals(first, second);
    long bytes = first.reserve(1);
    first.close();
    second.close();
    assertEquals(1, budget.shares());
    first.giveBack(bytes);
    assertEquals(0, budget.shares());
    assertEquals(0, budget.usedBytes());
  }

  @Test
  void shouldKeepWhatIsHeldUntilTheLastOwnerLetsGo() {
    RequestBudget.Share share = budget.open("peer");
    Queue<Runnable> executor = new ArrayDeque<>();
    RequestHold hold = share.hold(1_000);
    assertNotNull(hold);
    assertNull(hold.handOver(new ExecutorLane(executor::add, 2, 1), LaneTask.always(() -> {})));
    hold.release();
    assertEquals(1_256, budget.usedBytes());
    hold.onTaken();
    hold.release();
    assertEquals(0, budget.usedBytes());
  }

  @Test
  void shouldLeavePlacesInTheQueueForOtherPeers() {
    ExecutorLane lane = new ExecutorLane(task -> {}, 16, 1);
    RequestBudget.Share greedy = budget.open("greedy");
    int taken = 0;
    while (greedy.handOver(lane, LaneTask.always(() -> {})) == null) {
      taken++;
    }
    assertEquals(9, taken);
    RequestBudget.Share modest = budget.open("modest");
    assertNull(modest.handOver(lane, LaneTask.always(() -> {})));
    greedy.onTaken(0);
    assertNotNull(greedy.handOver(lane, LaneTask.always(() -> {})));
  }

  @Test
  void shouldLeaveAPeerItsUrgentPlacesThoughManyOfItsUnurgentRequestsWait() {
    ExecutorLane lane = new ExecutorLane(task -> {}, 16, 1);
    RequestBudget.Share share = budget.open("peer");
    int taken = 0;
    while (share.handOver(lane, new OfLevel(7)) == null) {
      taken++;
    }
    assertEquals(9, taken);
    lane.offer(new OfLevel(0));
    for (int i = 0; i < 8; i++) {
      assertNull(share.handOver(lane, new OfLevel(0)), "room for 15 at level 0, " + i + " taken");
    }
    share.onTaken(7);
    assertNotNull(share.handOver(lane, new OfLevel(0)), "a place of level 7 is none of level 0");
  }

  private record OfLevel(int level) implements LaneTask {
    @Override
    public void run() {}

    @Override
    public void onRejected() {}
  }
}
