package io.millrace.path.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.AeadProviders;
import io.millrace.transfer.PeerHealth;
import io.millrace.wire.RouteId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A worker gets no core for a time, while packets of a probed peer lie in the worker's socket
 * behind packets of other peers: rule L-9.
 */
class StarvedWorkerTest {
  private static final long STEP_NS = 1_000_000;

  /** A worker reads this many datagrams in three turns. */
  private static final int AHEAD = 150;

  /** Ten times the time after which a silent peer is given up. */
  private static final long LATE_NS = 10 * 850 * STEP_NS;

  private final WorkerLab lab =
      new WorkerLab(new FakeEndpoint(16, 64), "", AeadProviders.discover().select(0));
  private final FarSide far = new FarSide(1, false);
  private final PeerLink link = lab.link(1);
  private PeerPath path;
  private TestCall call;

  /** A call, and silence until just before the peer is given up. */
  @BeforeEach
  void probe() throws Exception {
    path = lab.open(link, 1, true);
    call = new TestCall(link, RouteId.of("r").id(), 10);
    link.onCall(call, lab.nowNs);
    int silentMs = givenUpAfterMs() - 60;
    lab.turns(silentMs, STEP_NS);
    assertFalse(path.packets().isEnded());
  }

  /** The lifetime of a silent peer in a lab without starvation. */
  private static int givenUpAfterMs() throws Exception {
    WorkerLab other =
        new WorkerLab(new FakeEndpoint(16, 64), "", AeadProviders.discover().select(0));
    PeerLink silent = other.link(1);
    PeerPath path = other.open(silent, 1, true);
    silent.onCall(new TestCall(silent, RouteId.of("r").id(), 10), other.nowNs);
    int ms = 0;
    while (!path.packets().isEnded()) {
      other.turns(1, STEP_NS);
      ms++;
    }
    return ms;
  }

  private void starve() {
    for (int i = 0; i < AHEAD; i++) {
      lab.endpoint.arrivals.add(new byte[64]);
    }
    lab.nowNs += 100 * STEP_NS; // less than the peer's liveness forgives by itself
  }

  @Test
  void shouldReadWhatHasArrivedBeforeItGivesAPeerUp() {
    starve();
    lab.endpoint.arrivals.add(far.packet(WriteFrames.request(1, 3, 64 << 10, 64 << 10)));
    lab.turns(5, STEP_NS);
    assertTrue(lab.endpoint.arrivals.isEmpty());
    assertFalse(path.packets().isEnded(), "the peer's packet was there");
    assertNull(call.outcome);
  }

  /** The worker turns so long after the time when the worker wanted to wake. */
  private static void beLate(WorkerLab late, long ms) {
    long wakeNs = late.services.context().time().wheel().nextDeadlineNs();
    late.nowNs = Math.max(late.nowNs, wakeNs) + ms * STEP_NS;
    late.turns(3, 0); // packets that have arrived come before the judgement
  }

  /** One stall is no silence of the peer, and stalls in each turn hide no dead peer; rule L-1. */
  @Test
  void shouldGiveADeadPeerUpAlthoughEachTurnIsLate() throws Exception {
    WorkerLab late =
        new WorkerLab(new FakeEndpoint(16, 64), "", AeadProviders.discover().select(0));
    PeerLink dead = late.link(1);
    PeerPath toDead = late.open(dead, 1, true);
    dead.onCall(new TestCall(dead, RouteId.of("r").id(), 10), late.nowNs);
    late.turns(1, STEP_NS);
    beLate(late, 1_000);
    assertEquals(PeerHealth.HEALTHY, dead.health().state());
    long fromNs = late.nowNs;
    while (!toDead.packets().isEnded() && late.nowNs - fromNs < LATE_NS) {
      beLate(late, 200);
    }
    assertTrue(toDead.packets().isEnded());
  }

  @Test
  void shouldGiveAPeerUpOfWhichNothingHadArrived() {
    starve();
    lab.turns(2, STEP_NS);
    assertFalse(path.packets().isEnded());
    lab.turns(3, STEP_NS);
    assertTrue(path.packets().isEnded());
    assertEquals(PeerHealth.FAILED, link.health().state());
  }
}
