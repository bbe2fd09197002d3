package io.millrace.path.packet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.path.peer.FakeEndpoint;
import io.millrace.path.peer.FarSide;
import io.millrace.path.peer.PeerLink;
import io.millrace.path.peer.PeerPath;
import io.millrace.path.peer.TestCall;
import io.millrace.path.peer.WorkerLab;
import io.millrace.protocol.transfer.TransferItem;
import io.millrace.wire.RouteId;
import io.millrace.wire.codec.AckEncoder;
import io.millrace.wire.codec.ProbeDecoder;
import io.millrace.wire.codec.ProbeEncoder;
import io.millrace.wire.codec.ProbeResponseEncoder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The frames of a path that belong to no transfer. */
class ControlFramesTest {
  private static final RouteId ROUTE = RouteId.of("r");
  private static final int ITEMS_OF_LOG = 65_536;
  private static final int ACK = AckEncoder.TEMPLATE_ID;
  private static final int ANSWER = ProbeResponseEncoder.TEMPLATE_ID;

  private final WorkerLab lab = new WorkerLab(new FakeEndpoint(16, 64));
  private final PeerLink link = lab.link(1);
  private final FarSide far = new FarSide(1, false);

  @Test
  void shouldRefuseAnAckWhoseRangesAreShorterThanVersionOneDefines() throws Exception {
    for (int rangeLength : new int[] {0, 1, 7}) {
      WorkerLab own = new WorkerLab(new FakeEndpoint(16, 64));
      PeerLink peer = own.link(1);
      own.open(peer, 1, true);
      for (int i = 0; i < 3; i++) {
        peer.onCall(new TestCall(peer, ROUTE.id(), 8), own.nowNs);
        own.turn();
      }
      byte[] padding = new byte[16];
      own.endpoint.arrivals.add(new FarSide(1, false).packet(FarSide.ack(2, rangeLength), padding));
      own.turn();
      assertEquals(1, own.events.count("ProtocolViolation"), "length " + rangeLength);
      assertEquals(1, own.ended.size(), "length " + rangeLength);
    }
  }

  @Test
  void shouldSendOnlyWhatTheLogHasRoomFor() throws Exception {
    PeerPath path = lab.open(link, 1, true);
    lab.turn();
    lab.endpoint.sent.clear();
    fillLog(path, 1);
    lab.endpoint.arrivals.add(far.packet(FarSide.probe()));
    path.packets().parts().control().wantProbe();
    path.packets().credit().want();
    lab.turn();
    assertEquals(0, lab.faults.size());
    assertEquals(List.of(ACK, ANSWER), far.templates(lab.endpoint.sent.remove()));
    assertFalse(path.recovery().canAddItem());
    assertTrue(path.packets().parts().isControlDue());
  }

  @Test
  void shouldKeepProbesAndCreditBackWhileTheLogIsFull() throws Exception {
    PeerPath path = lab.open(link, 1, true);
    lab.turn();
    lab.endpoint.sent.clear();
    fillLog(path, 0);
    lab.endpoint.arrivals.add(far.packet(FarSide.probe()));
    lab.endpoint.arrivals.add(far.packet(FarSide.probe()));
    path.packets().credit().want();
    path.packets().parts().control().wantProbe();
    lab.turn();
    assertEquals(0, lab.faults.size());
    assertEquals(List.of(ACK, ANSWER), far.templates(lab.endpoint.sent.remove()));
    assertTrue(path.packets().parts().isControlDue());
    lab.endpoint.arrivals.add(far.packet(FarSide.ackUpTo(path.recovery().nextPacketNumber() - 1)));
    lab.turn();
    assertEquals(
        List.of(ACK, (int) ProbeEncoder.TEMPLATE_ID), far.templates(lab.endpoint.sent.remove()));
    assertFalse(path.packets().parts().isControlDue());
  }

  @Test
  void shouldNotNameAGapForEverOnceThePeerKnowsWhatArrived() throws Exception {
    PeerPath path = lab.open(link, 1, true);
    lab.turns(2, 1_000);
    far.packet(FarSide.probe());
    lab.endpoint.arrivals.add(far.packet(FarSide.probe()));
    far.packet(FarSide.probe());
    lab.endpoint.arrivals.add(far.packet(FarSide.probe()));
    path.packets().parts().control().wantProbe();
    lab.turn();
    lab.endpoint.arrivals.add(far.packet(FarSide.ackUpTo(path.recovery().nextPacketNumber() - 1)));
    lab.turn();
    lab.endpoint.sent.clear();
    lab.endpoint.arrivals.add(far.packet(FarSide.probe()));
    lab.nowNs += 10_000_000;
    lab.turn();
    lab.nowNs += 10_000_000;
    lab.turn();
    assertEquals(0, far.ackRanges(lab.endpoint.sent.remove()));
  }

  @Test
  void shouldNotAskForAnAcknowledgementOfAnAnswerAndAcknowledgeNone() throws Exception {
    PeerPath path = lab.open(link, 1, true);
    lab.turns(2, 1_000);
    lab.endpoint.sent.clear();
    int inFlight = path.recovery().packetsInFlight();
    lab.endpoint.arrivals.add(far.packet(FarSide.probe()));
    lab.turn();
    assertEquals(List.of(ACK, ANSWER), far.templates(lab.endpoint.sent.remove()));
    assertEquals(inFlight, path.recovery().packetsInFlight());
    lab.endpoint.arrivals.add(far.packet(FarSide.answer()));
    lab.turns(20, 1_000_000);
    assertFalse(lab.endpoint.sent.stream().map(far::templates).anyMatch(List.of(ACK)::equals));
  }

  @Test
  void shouldMeasureTheRoundTripByAnAnswerToItsOwnProbeOnce() throws Exception {
    PeerPath path = lab.open(link, 1, true);
    lab.turns(2, 1_000);
    lab.endpoint.sent.clear();
    path.packets().parts().control().wantProbe();
    arrive(FarSide.probe());
    ProbeDecoder probe = far.probe(lab.endpoint.sent.remove());
    long guessNs = path.recovery().rtt().latestNs();
    lab.nowNs += 40_000_000;
    for (long[] forged :
        new long[][] {
          {probe.probeId(), probe.sentNs() - 1},
          {probe.probeId() + 1, probe.sentNs()},
          {probe.probeId() - 4, probe.sentNs()},
          {-1, 0}
        }) {
      arrive(FarSide.answer(forged[0], forged[1]));
    }
    assertEquals(guessNs, path.recovery().rtt().latestNs());
    assertFalse(path.recovery().rtt().hasSample());
    long sampleNs = lab.nowNs - probe.sentNs();
    arrive(FarSide.answer(probe.probeId(), probe.sentNs()));
    assertEquals(sampleNs, path.recovery().rtt().latestNs());
    lab.nowNs += 40_000_000;
    arrive(FarSide.answer(probe.probeId(), probe.sentNs()));
    assertEquals(sampleNs, path.recovery().rtt().latestNs());
    assertFalse(path.packets().isEnded());
  }

  private void arrive(byte[] frame) throws Exception {
    lab.endpoint.arrivals.add(far.packet(frame));
    lab.turn();
  }

  @Test
  void shouldNotProbeForSizesThatTheInterfaceDoesNotTake() throws Exception {
    FakeEndpoint endpoint = new FakeEndpoint(16, 64);
    endpoint.pathMaxDatagramBytes = 1_472;
    WorkerLab own = new WorkerLab(endpoint);
    own.open(own.link(1), 1, true);
    own.turns(3, 1_000);
    assertEquals(1_472, endpoint.sent.stream().mapToInt(d -> d.length).max().orElseThrow());
  }

  /** Fills the log with packets that never end, up to {@code itemsLeft} free items. */
  private void fillLog(PeerPath path, int itemsLeft) {
    int items = ITEMS_OF_LOG - itemsLeft - path.recovery().packetsInFlight();
    long number = path.recovery().nextPacketNumber();
    path.recovery().openPacket(number);
    while (items-- > 0) {
      path.recovery().addItem(TransferItem.of(0, 0));
    }
    path.recovery().onPacketSent(1, true, lab.nowNs);
    far.skipTo(path.packets().keys(), number + 1);
  }
}
