package io.millrace.path.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ends.ExecutorLane;
import io.millrace.path.packet.WorkerEnd;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls that wait for a place of their completion, and the ends of such calls during the wait. */
class WaitingCallTest {
  private static final RouteId ROUTE = RouteId.of("r");
  private static final long STEP_NS = 1_000_000;

  private final WorkerLab lab = new WorkerLab(new FakeEndpoint(16, 64));
  private final ExecutorLane lane = new ExecutorLane(Runnable::run, 2, 1);
  private final PeerLink link = lab.link(1);

  @BeforeEach
  void takeAllPlaces() {
    assertTrue(lane.reserve());
    assertTrue(lane.reserve());
  }

  private TestCall submit(PeerLink to, long deadlineMs) {
    TestCall call = new TestCall(to, ROUTE.id(), 10);
    call.expireAfter(deadlineMs * STEP_NS);
    assertNull(lab.handle(to).submit(call, lane));
    return call;
  }

  private int waiting() {
    return lab.submissionsWaiting();
  }

  private int timers() {
    return lab.services.context().time().wheel().scheduledTimers();
  }

  @Test
  void shouldExpireWhileItWaits() {
    TestCall call = submit(link, 50);
    TestCall patient = submit(link, 500);
    lab.turns(49, STEP_NS);
    assertNull(call.outcome);
    lab.turns(3, STEP_NS);
    assertEquals(CallOutcome.EXPIRED, call.outcome);
    assertEquals("it took longer than 50 ms", call.text);
    assertEquals(1, waiting());
    assertEquals(1, timers());

    for (int place = 0; place < 3; place++) {
      lane.unreserve();
    }
    lab.turns(1, STEP_NS);
    assertEquals(0, waiting());
    assertEquals(1, link.waitingCount());
    lab.turns(440, STEP_NS);
    assertNull(patient.outcome);
    lab.turns(10, STEP_NS);
    assertEquals(CallOutcome.EXPIRED, patient.outcome, "its time began before it was taken");
    assertEquals(1, call.endings);
    assertEquals(0, timers());
    assertEquals(List.of(), lab.faults);
  }

  @Test
  void shouldExpireInTimeIfItsPeerComesToTheWorkerLater() {
    PeerLink late = new PeerLink("10.0.0.2:1", 100);
    TestCall waits = submit(late, 50);
    TestCall ended = submit(late, 50);
    lab.turns(20, STEP_NS);
    ended.cancel(lab.handle(late).port(), CallOutcome.CANCELLED, "planted");
    lab.turns(1, STEP_NS);
    assertEquals(CallOutcome.CANCELLED, ended.outcome);

    late.onTime(lab.services.context().time());

    assertEquals(1, timers());
    lab.turns(28, STEP_NS);
    assertNull(waits.outcome);
    lab.turns(3, STEP_NS);
    assertEquals(CallOutcome.EXPIRED, waits.outcome);
  }

  @Test
  void shouldEndWhenItIsCancelledBeforeOrAfterItsWorkerKnowsIt() {
    TestCall early = submit(link, 0);
    early.cancel(lab.handle(link).port(), CallOutcome.CANCELLED, "planted");
    TestCall known = submit(link, 1_000);
    lab.turns(1, STEP_NS);
    assertEquals(CallOutcome.CANCELLED, early.outcome);
    assertNull(known.outcome);

    known.cancel(lab.handle(link).port(), CallOutcome.CANCELLED, "planted");
    lab.turns(1, STEP_NS);

    assertEquals(CallOutcome.CANCELLED, known.outcome);
    assertEquals(0, waiting());
    assertEquals(0, timers());
    for (int place = 0; place < 4; place++) {
      lane.unreserve();
    }
    lab.turns(1, STEP_NS);
    assertEquals(1, known.endings);
    assertEquals(0, link.waitingCount());
  }

  @Test
  void shouldEndAsANewCallDoesWhenItsNodeIsDrained() {
    TestCall call = submit(link, 1_000);
    lab.turns(1, STEP_NS);

    lab.handle(link).port().rings().onDrained();
    TestCall late = submit(link, 0);
    // The worker of the call does not know of the peer yet.
    TestCall first = submit(lab.link(2), 0);
    lab.turns(1, STEP_NS);

    assertEquals(CallOutcome.SHUTTING_DOWN, call.outcome);
    assertEquals(CallOutcome.SHUTTING_DOWN, late.outcome);
    assertEquals(CallOutcome.SHUTTING_DOWN, first.outcome);
    assertEquals(call.text, late.text);
    assertEquals(0, timers());
  }

  @Test
  void shouldEndAsANewCallDoesWhenItsWorkerEnds() {
    TestCall known = submit(link, 1_000);
    lab.turns(1, STEP_NS);
    TestCall arrived = submit(link, 1_000);

    lab.handle(link).port().close(WorkerEnd.CLOSED);
    TestCall late = submit(link, 1_000);

    for (TestCall call : List.of(known, arrived, late)) {
      assertEquals(CallOutcome.CLOSED, call.outcome);
      assertEquals(WorkerEnd.CLOSED.text(), call.text);
      assertEquals(1, call.endings);
    }
    assertEquals(0, waiting());
  }
}
