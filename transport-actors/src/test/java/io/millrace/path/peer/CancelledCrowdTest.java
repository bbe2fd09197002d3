package io.millrace.path.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The node cancels a hundred thousand unsent calls, the last call first; each call ends once. */
class CancelledCrowdTest {
  private static final RouteId ROUTE = RouteId.of("r");
  private static final int CALLS = 100_000;
  private static final int SLOTS = 65_536;

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
  void shouldTakeEachOutOfThoseThatWaitForAPath() {
    submit();
    assertEquals(CALLS, link.waitingCount());
    cancelInReverse();
    assertEquals(0, link.waitingCount());
  }

  @Test
  void shouldTakeEachOutOfFrames() throws Exception {
    PeerPath path = lab.open(link, 1, true);
    submit();
    assertEquals(SLOTS, path.packets().frames().size());
    assertEquals(CALLS - SLOTS, link.waitingCount());
    cancelInReverse();
    assertTrue(path.packets().frames().size() == 0);
    assertEquals(0, link.waitingCount());
    assertTrue(lab.faults.isEmpty());
  }
}
