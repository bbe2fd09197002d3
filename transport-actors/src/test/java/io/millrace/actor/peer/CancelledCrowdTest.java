package io.millrace.actor.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.protocol.transfer.CallOutcome;
import io.millrace.wire.Route;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A hundred thousand calls that were not sent are cancelled, the last one first. */
class CancelledCrowdTest {
  private static final Route ROUTE = Route.of("r");
  private static final int CALLS = 100_000;
  private static final int SLOTS = 65_536;

  /** Each call that leaves is looked at, and its neighbours are. */
  private static final long MOST_LOOKS = 2L * CALLS;

  private final WorkerLab lab = new WorkerLab(new FakeEndpoint(16, 64));
  private final PeerLink link = new PeerLink("10.0.0.1:1", CALLS);
  private final List<TestCall> calls = new ArrayList<>(CALLS);

  private void submit() {
    for (int i = 0; i < CALLS; i++) {
      TestCall call = new TestCall(link, ROUTE.id(), 0);
      calls.add(call);
      link.onCall(call, lab.nowNs);
    }
  }

  private void cancelInReverse() {
    for (int i = CALLS - 1; i >= 0; i--) {
      link.cancel(calls.get(i), CallOutcome.CANCELLED, "");
    }
    for (TestCall call : calls) {
      assertEquals(CallOutcome.CANCELLED, call.outcome);
      assertEquals(1, call.endings);
    }
  }

  @Test
  void shouldLookForNoneOfThemAmongThoseThatWaitForAPath() {
    submit();
    assertEquals(CALLS, link.waitingCount());
    cancelInReverse();
    assertEquals(0, link.waitingCount());
    assertTrue(link.waiting().looks() <= MOST_LOOKS, link.waiting().looks() + " looks");
  }

  @Test
  void shouldLookForNoneOfThemAmongFrames() throws Exception {
    PeerPath path = lab.open(link, 1, true);
    submit();
    assertEquals(SLOTS, path.transfers().frames().size());
    assertEquals(CALLS - SLOTS, link.waitingCount());
    cancelInReverse();
    assertTrue(path.transfers().frames().isEmpty());
    assertEquals(0, link.waitingCount());
    long looks = path.transfers().frames().looks() + link.waiting().looks();
    assertTrue(looks <= MOST_LOOKS, looks + " looks");
    assertTrue(lab.faults.isEmpty());
  }
}
