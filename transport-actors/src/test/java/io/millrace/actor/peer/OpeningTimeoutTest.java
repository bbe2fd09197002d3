package io.millrace.actor.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.AeadProviders;
import io.millrace.protocol.transfer.CallOutcome;
import io.millrace.wire.Route;
import org.junit.jupiter.api.Test;

/** What is not sent to a peer that does not answer fails sooner than what was. */
class OpeningTimeoutTest {
  private static final Route ROUTE = Route.of("r");
  private static final long STEP_NS = 1_000_000;
  private static final int SUSPECTED_MS = 500;
  private static final int GIVEN_UP_MS = 4_000;

  private final FarSide far = new FarSide(1, false);

  private static WorkerLab lab(String timeout) {
    return new WorkerLab(
        new FakeEndpoint(16, 64),
        "millrace.recovery.opening-timeout = " + timeout + "\n",
        AeadProviders.discover().select(0));
  }

  private static TestCall call(WorkerLab lab, PeerLink link) {
    TestCall call = new TestCall(link, ROUTE.id(), 10);
    link.onCall(call, lab.nowNs);
    lab.turns(1, STEP_NS);
    return call;
  }

  @Test
  void shouldFailWhatWasNotSentAheadOfWhatIsInFlight() throws Exception {
    WorkerLab lab = lab("1 s");
    PeerLink link = lab.link(1);
    PeerPath path = lab.open(link, 1, true);
    TestCall inFlight = call(lab, link);
    lab.turns(SUSPECTED_MS, STEP_NS);
    TestCall late = call(lab, link);
    lab.turns(400, STEP_NS);
    TestCall later = call(lab, link);
    assertEquals(1, path.transfers().calls().openCount());
    assertEquals(2, link.waitingCount());
    lab.turns(590, STEP_NS);
    assertNull(late.outcome, "a second is not over");
    lab.turns(20, STEP_NS);
    assertEquals(CallOutcome.PEER_UNREACHABLE, late.outcome);
    assertEquals("10.0.0.1:1 does not answer, and this was not sent to it", late.text);
    assertNull(later.outcome);
    lab.turns(400, STEP_NS);
    assertEquals(CallOutcome.PEER_UNREACHABLE, later.outcome);
    assertNull(inFlight.outcome);
    assertFalse(path.isEnded());
    lab.turns(GIVEN_UP_MS, STEP_NS);
    assertEquals(CallOutcome.PEER_UNRESPONSIVE, inFlight.outcome);
    assertTrue(lab.faults.isEmpty());
  }

  @Test
  void shouldSendWhatWaitsOnceThePeerIsHeardOf() throws Exception {
    WorkerLab lab = lab("1 s");
    PeerLink link = lab.link(1);
    PeerPath path = lab.open(link, 1, true);
    TestCall inFlight = call(lab, link);
    lab.turns(SUSPECTED_MS, STEP_NS);
    TestCall late = call(lab, link);
    assertEquals(1, link.waitingCount());
    lab.endpoint.arrivals.add(far.packet(WriteFrames.request(1, 3, 64 << 10, 64 << 10)));
    lab.turns(1, STEP_NS);
    assertEquals(0, link.waitingCount());
    assertEquals(2, path.transfers().calls().openCount());
    TestCall next = call(lab, link);
    assertEquals(3, path.transfers().calls().openCount());
    lab.turns(GIVEN_UP_MS, STEP_NS);
    assertEquals(CallOutcome.PEER_UNRESPONSIVE, inFlight.outcome);
    assertEquals(CallOutcome.PEER_UNRESPONSIVE, late.outcome);
    assertEquals(CallOutcome.PEER_UNRESPONSIVE, next.outcome);
  }

  @Test
  void shouldTakeWhatWaitsToTheNextPathIfThatIsAskedForFirst() throws Exception {
    WorkerLab lab = lab("60 s");
    PeerLink link = lab.link(1);
    PeerPath path = lab.open(link, 1, true);
    TestCall inFlight = call(lab, link);
    lab.turns(SUSPECTED_MS, STEP_NS);
    TestCall late = call(lab, link);
    lab.turns(GIVEN_UP_MS, STEP_NS);
    assertTrue(path.isEnded());
    assertEquals(CallOutcome.PEER_UNRESPONSIVE, inFlight.outcome);
    link.onPathClosed(path);
    PeerPath second = lab.open(link, 2, true);
    assertEquals(0, link.waitingCount());
    assertEquals(1, second.transfers().calls().openCount());
    assertNull(late.outcome);
  }
}
