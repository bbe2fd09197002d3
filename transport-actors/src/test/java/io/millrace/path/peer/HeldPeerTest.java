package io.millrace.path.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.AeadProviders;
import io.millrace.driver.HoldCause;
import io.millrace.path.packet.BulkSource;
import io.millrace.wire.RouteId;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A peer to which the driver posts nothing for a while. */
class HeldPeerTest {
  private static final RouteId ROUTE = RouteId.of("r");
  private static final long STEP_NS = 1_000_000;
  private static final int CALLS = 12;
  private static final int MOST_PROBES = 5;

  private final WorkerLab lab =
      new WorkerLab(new FakeEndpoint(16, 64), "", AeadProviders.discover().select(0));
  private final PeerLink link = lab.link(1);
  private final PeerLink otherLink = lab.link(2);
  private PeerPath path;
  private PeerPath other;

  @BeforeEach
  void open() throws Exception {
    path = lab.open(link, 1, true);
    other = lab.open(otherLink, 2, true);
    turns(1);
  }

  private void turns(int ms) {
    lab.turns(ms, STEP_NS);
  }

  private void hold() {
    int destination = path.packets().destination();
    lab.endpoint.reports.add(handler -> handler.onHeld(destination, HoldCause.NOT_READY));
    turns(1);
  }

  private void letGo() {
    int destination = path.packets().destination();
    lab.endpoint.reports.add(handler -> handler.onLetGo(destination));
    turns(1);
  }

  private void call(PeerLink to) {
    to.onCall(new TestCall(to, ROUTE.id(), 10), lab.nowNs);
    turns(1);
  }

  private List<String> events() {
    return lab.events.lines().stream().filter(line -> line.startsWith("Peer")).toList();
  }

  @Test
  void shouldSendToOthersOnlyUntilTheDriverLetsGo() {
    hold();
    long nextHeld = path.packets().keys().nextPacketNumber();
    long nextOther = other.packets().keys().nextPacketNumber();
    for (int i = 0; i < CALLS; i++) {
      call(link);
      call(otherLink);
    }
    // a peer that owes answers is probed
    long toHeld = path.packets().keys().nextPacketNumber() - nextHeld;
    assertTrue(toHeld <= MOST_PROBES, "to the held peer: " + toHeld);
    long toOther = other.packets().keys().nextPacketNumber() - nextOther;
    assertTrue(toOther >= 2 * MOST_PROBES, "to the other peer: " + toOther);
    nextHeld = path.packets().keys().nextPacketNumber();
    call(link);
    assertEquals(nextHeld, path.packets().keys().nextPacketNumber(), "no probe is due");
    letGo();
    assertTrue(path.packets().keys().nextPacketNumber() > nextHeld);
  }

  @Test
  void shouldTellOfTheEpisodeOnce() {
    hold();
    hold();
    turns(30);
    letGo();
    letGo();
    assertEquals(
        List.of(
            "PeerHeld worker=0 peer=10.0.0.1:1 cause=receiver not ready",
            "PeerLetGo worker=0 peer=10.0.0.1:1 heldNs=32000000"),
        events());
  }

  @Test
  void shouldStillProbeAHeldPeer() {
    call(link);
    hold();
    long next = path.packets().keys().nextPacketNumber();
    turns(200);
    assertTrue(path.packets().keys().nextPacketNumber() > next, "a held peer may be dead");
  }

  @Test
  void shouldKeepAFaultToThePath() {
    hold();
    BulkSource failing =
        new BulkSource() {
          @Override
          public int chunkLevels() {
            throw new IllegalStateException("a fault of one path");
          }
        };
    path.packets().carry(failing, BulkSource.Demand.NONE);
    letGo();
    assertTrue(path.packets().isOver());
    assertFalse(other.packets().isOver());
    long next = other.packets().keys().nextPacketNumber();
    call(otherLink);
    assertTrue(other.packets().keys().nextPacketNumber() > next);
  }
}
