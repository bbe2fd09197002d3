package io.millrace.path.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.memory.SegmentBuffer;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.RouteId;
import io.millrace.wire.codec.CloseReason;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Send buffers come back after any exception, and stay available for acknowledgements. */
class SendBufferUseTest {
  private static final RouteId ROUTE = RouteId.of("r");

  @Test
  void shouldGiveEveryBufferBackWhenSealingThrows() throws Exception {
    FailingAead aead = new FailingAead();
    WorkerLab lab = new WorkerLab(new FakeEndpoint(16, 64), "", aead);
    List<PeerPath> paths = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      PeerLink link = lab.link(i);
      paths.add(lab.open(link, i, true));
      if (i % 2 == 0) {
        link.onCall(new TestCall(link, ROUTE.id(), 8), lab.nowNs);
      }
    }
    aead.sealed = 0;
    lab.turn();
    assertEquals(20, lab.faults.size());
    for (PeerPath path : paths) {
      path.close(CloseReason.PEER_FAULT, CallOutcome.PEER_FAULT, "failed");
    }
    lab.turn();
    assertEquals(20, lab.ended.size());
    assertEquals(0, lab.endpoint.openDestinations());
    // The path set the missing buffers aside for the next control packets.
    assertEquals(16 / 4, lab.endpoint.buffersMissing());
  }

  @Test
  void shouldAcknowledgeWhileOtherPathsTakeEveryBuffer() throws Exception {
    WorkerLab lab = new WorkerLab(new FakeEndpoint(8, 64));
    List<PeerLink> busy = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      PeerLink link = lab.link(i);
      lab.open(link, i, true);
      busy.add(link);
    }
    PeerLink quiet = lab.link(100);
    lab.open(quiet, 100, true);
    FarSide far = new FarSide(100, false);
    lab.turns(50, 1_000);
    for (PeerLink link : busy) {
      link.onCall(new TestCall(link, ROUTE.id(), 8), lab.nowNs);
    }
    lab.endpoint.arrivals.add(far.packet(FarSide.probe()));
    lab.endpoint.sent.clear();
    lab.turn();
    assertTrue(lab.services.context().schedule().of(0).scheduler().waitingLevels() != 0);
    assertEquals(1, lab.endpoint.sent.stream().filter(d -> isOf(d, 100)).count());
  }

  private static boolean isOf(byte[] datagram, int path) {
    long id = WorkerLab.terms(path, true, WorkerLab.WINDOW_BYTES).secret().pathId();
    return PacketHeader.pathId(new SegmentBuffer(datagram), 0) == id;
  }
}
