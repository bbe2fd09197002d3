package io.millrace.path.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.EndpointAddress;
import io.millrace.path.network.Rail;
import io.millrace.path.network.RailPlan;
import io.millrace.path.packet.PathTerms;
import io.millrace.wire.RouteId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A peer advertises an endpoint that may belong to a third party; rule N-10. */
class UnprovedEndpointTest {
  private static final RouteId ROUTE = RouteId.of("echo");
  private static final long STEP_NS = 10_000_000L;
  private static final int SMALL_BYTES = 128;

  private final WorkerLab lab = new WorkerLab(new FakeEndpoint(128, 64));
  private final WorkerLab peer = new WorkerLab(new FakeEndpoint(128, 64));
  private final PeerLink link = lab.link(1);

  private PeerPath open() throws Exception {
    PathTerms terms = WorkerLab.terms(1, true, WorkerLab.WINDOW_BYTES);
    RailPlan plan =
        new RailPlan(
            List.of(new Rail(0, 0, new EndpointAddress("fake", new byte[] {1}), false, false)),
            true,
            false);
    return lab.open(
        link,
        new PathTerms(
            terms.peer(),
            terms.secret(),
            true,
            terms.workers(),
            plan,
            terms.sendLimitBytes(),
            terms.receiveWindow(),
            terms.agreement(),
            terms.handshake()));
  }

  @Test
  void shouldGetNothingButProbesWhileItDoesNotAnswer() throws Exception {
    PeerPath path = open();
    for (int i = 0; i < 8; i++) {
      link.onCall(new TestCall(link, ROUTE.id(), 1_000), lab.nowNs);
    }
    lab.turns(20, STEP_NS);
    assertFalse(path.packets().rails().mayCarry());
    assertEquals(0, lab.services.context().counters().payloadBytesSent);
    assertTrue(lab.endpoint.sent.size() >= 2, "it is probed again");
    assertTrue(lab.endpoint.sent.stream().allMatch(packet -> packet.length <= SMALL_BYTES));
  }

  @Test
  void shouldGetWhatWaitsOnceItHasAnsweredAProbe() throws Exception {
    PeerPath path = open();
    peer.open(peer.link(1), 1, false);
    link.onCall(new TestCall(link, ROUTE.id(), 1_000), lab.nowNs);
    for (int i = 0; i < 4; i++) {
      lab.turns(2, STEP_NS);
      peer.endpoint.arrivals.addAll(lab.endpoint.sent);
      lab.endpoint.sent.clear();
      peer.turns(2, STEP_NS);
      lab.endpoint.arrivals.addAll(peer.endpoint.sent);
      peer.endpoint.sent.clear();
    }
    assertTrue(path.packets().rails().mayCarry());
    assertTrue(lab.services.context().counters().payloadBytesSent >= 1_000);
  }
}
