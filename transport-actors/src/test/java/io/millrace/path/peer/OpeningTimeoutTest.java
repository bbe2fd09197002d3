package io.millrace.path.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.AeadProviders;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import org.junit.jupiter.api.Test;

/**
 * Calls not yet sent to a peer that does not answer on the path of the calls, but is heard on
 * another path, so that the peer's health allows calls. An unsent call fails sooner than a sent
 * call.
 */
class OpeningTimeoutTest {
  private static final RouteId ROUTE = RouteId.of("r");
  private static final long STEP_NS = 1_000_000;
  private static final int SUSPECTED_MS = 500;
  private static final int GIVEN_UP_MS = 4_000;

  private final FarSide far = new FarSide(1, false);

  /**
   * A node with a call in flight on a path that has been silent since and is under suspicion, while
   * another path hears the peer.
   */
  private static final class Silent {
    private final WorkerLab lab;
    private final PeerLink link;
    private final PeerPath path;
    private final TestCall inFlight;

    private Silent(String timeout) throws Exception {
      lab =
          new WorkerLab(
              new FakeEndpoint(16, 64),
              "millrace.recovery { silence = 250 ms, probe-period = 100 ms, fail-after = 3 s }\n"
                  + "millrace.recovery.opening-timeout = "
                  + timeout
                  + "\n",
              AeadProviders.discover().select(0));
      link = lab.link(1);
      path = lab.open(link, 1, true);
      inFlight = call();
      turns(SUSPECTED_MS);
    }

    private TestCall call() {
      TestCall call = new TestCall(link, ROUTE.id(), 10);
      link.onCall(call, lab.nowNs);
      turns(1);
      return call;
    }

    private void turns(int count) {
      for (int i = 0; i < count; i++) {
        link.health().onHeard(lab.nowNs);
        lab.turns(1, STEP_NS);
      }
    }
  }

  @Test
  void shouldFailWhatWasNotSentAheadOfWhatIsInFlight() throws Exception {
    Silent node = new Silent("1 s");
    TestCall late = node.call();
    node.turns(400);
    TestCall later = node.call();
    assertEquals(1, node.path.calls().calls().openCount());
    assertEquals(2, node.link.waitingCount());
    node.turns(590);
    assertNull(late.outcome, "a second is not over");
    node.turns(20);
    assertEquals(CallOutcome.PEER_UNREACHABLE, late.outcome);
    assertEquals("10.0.0.1:1 does not answer, and this was not sent to it", late.text);
    assertNull(later.outcome);
    node.turns(400);
    assertEquals(CallOutcome.PEER_UNREACHABLE, later.outcome);
    assertNull(node.inFlight.outcome);
    assertFalse(node.path.packets().isEnded());
    node.turns(GIVEN_UP_MS);
    assertEquals(CallOutcome.PEER_RESET, node.inFlight.outcome);
    assertTrue(node.lab.faults.isEmpty());
  }

  @Test
  void shouldSendWhatWaitsOnceThePeerIsHeardOf() throws Exception {
    Silent node = new Silent("1 s");
    TestCall late = node.call();
    assertEquals(1, node.link.waitingCount());
    node.lab.endpoint.arrivals.add(far.packet(WriteFrames.request(1, 3, 64 << 10, 64 << 10)));
    node.turns(1);
    assertEquals(0, node.link.waitingCount());
    assertEquals(2, node.path.calls().calls().openCount());
    TestCall next = node.call();
    assertEquals(3, node.path.calls().calls().openCount());
    node.turns(GIVEN_UP_MS);
    assertEquals(CallOutcome.PEER_RESET, node.inFlight.outcome);
    assertEquals(CallOutcome.PEER_RESET, late.outcome);
    assertEquals(CallOutcome.PEER_RESET, next.outcome);
  }

  @Test
  void shouldTakeWhatWaitsToTheNextPathIfThatIsAskedForFirst() throws Exception {
    Silent node = new Silent("60 s");
    TestCall late = node.call();
    node.turns(GIVEN_UP_MS);
    assertTrue(node.path.packets().isEnded());
    assertEquals(CallOutcome.PEER_RESET, node.inFlight.outcome);
    node.link.onPathClosed(node.path);
    PeerPath second = node.lab.open(node.link, 2, true);
    assertEquals(0, node.link.waitingCount());
    assertEquals(1, second.calls().calls().openCount());
    assertNull(late.outcome);
  }
}
