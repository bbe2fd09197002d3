package io.millrace.path.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.AeadProviders;
import io.millrace.wire.RouteId;
import io.millrace.wire.codec.RegionDisposition;
import org.junit.jupiter.api.Test;

/** A sender's treatment of a grant so late that the grant's token has come and gone. */
class LateGrantTest {
  private static final long ROUTE = RouteId.of("store").id();
  private static final int BODY_BYTES = 5_000;
  private static final int REGION_BYTES = 64 << 10;
  private static final long KEY = 77;
  private static final int LIFETIME_MS = 4;
  private static final long STEP_NS = 100_000;

  private final WorkerLab lab =
      new WorkerLab(new FakeEndpoint(16, 64), "", AeadProviders.discover().select(0));
  private final FarSide far = new FarSide(1, false);
  private final PeerLink link = lab.link(1);

  private TestCall call() {
    TestCall call = new TestCall(link, ROUTE, BODY_BYTES);
    link.onCall(call, lab.nowNs);
    lab.turns(3, STEP_NS);
    assertTrue(call.isSentAsBody());
    return call;
  }

  private void arrive(byte[] datagram) {
    lab.endpoint.arrivals.add(datagram);
    lab.turns(3, STEP_NS);
  }

  private byte[] grant(int region, long key) {
    return far.packet(WriteFrames.grant(region, 1, key, REGION_BYTES, REGION_BYTES, LIFETIME_MS));
  }

  private byte[] taken(int region, long key, RegionDisposition disposition) {
    return far.packet(WriteFrames.ack(region, 1, key, REGION_BYTES, disposition.value()));
  }

  /** The second call would take the end of the first call's fill for the end of its own fill. */
  @Test
  void shouldNotBeginAFillAgainThatWasTakenBeforeItsTokenExpired() throws Exception {
    lab.endpoint.pathMaxDatagramBytes = 1_200;
    final PeerPath path = lab.open(link, 1, true);
    final TestCall first = call();
    final byte[] late = grant(1, KEY);
    arrive(grant(1, KEY));
    assertEquals(1, path.writes().openFills());
    arrive(taken(1, KEY, RegionDisposition.REUSE));
    assertFalse(first.isSentAsBody(), "the peer has all of it");

    lab.turns(2 * LIFETIME_MS, 1_000_000);
    final TestCall second = call();
    assertEquals(0, path.writes().tokens().tokenCount(), "expired");
    arrive(late);
    arrive(taken(1, KEY, RegionDisposition.REVOKED));
    assertTrue(second.isSentAsBody(), "nothing of it was taken");

    arrive(grant(2, KEY + 1));
    assertEquals(1, path.writes().openFills());
    arrive(taken(2, KEY + 1, RegionDisposition.REUSE));
    assertFalse(second.isSentAsBody());
    assertFalse(path.packets().isEnded());
  }
}
