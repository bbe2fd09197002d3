package io.millrace.path.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.AesKeySize;
import io.millrace.ends.StreamEnd;
import io.millrace.event.DropReason;
import io.millrace.memory.SegmentBuffer;
import io.millrace.path.packet.PathTerms;
import io.millrace.path.packet.PathToken;
import io.millrace.path.packet.PeerIncarnation;
import io.millrace.path.packet.WorkerEnd;
import io.millrace.path.stream.FlowFrames;
import io.millrace.path.stream.StreamOffer;
import io.millrace.protocol.congestion.ReceiveBudget;
import io.millrace.protocol.stream.StreamPattern;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.RouteId;
import io.millrace.wire.codec.CloseReason;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ends of paths: whatever throws, every call ends and no memory stays held. */
class PathEndTest {
  private static final RouteId ROUTE = RouteId.of("r");

  private final WorkerLab lab = new WorkerLab(new FakeEndpoint(16, 64));
  private final PeerLink link = lab.link(1);
  private final FarSide far = new FarSide(1, false);

  @Test
  void shouldEndEveryCallAndReleaseAllWhenACompletionThrows() throws Exception {
    PeerPath path = lab.open(link, 1, true);
    TestCall first = new TestCall(link, ROUTE.id(), 8, true);
    TestCall second = new TestCall(link, ROUTE.id(), 8);
    link.onCall(first, lab.nowNs);
    link.onCall(second, lab.nowNs);
    long left = lab.services.context().terms().budget().leftBytes();

    path.close(CloseReason.PEER_FAULT, CallOutcome.PEER_RESET, "gone");

    assertEquals(CallOutcome.PEER_RESET, first.outcome);
    assertEquals(CallOutcome.PEER_RESET, second.outcome);
    assertEquals(List.of(path), lab.ended);
    lab.turns(3, 10_000_000);
    assertEquals(0, lab.endpoint.openDestinations());
    assertEquals(0, lab.services.paths().size());
    assertEquals(
        left + WorkerLab.WINDOW_BYTES, lab.services.context().terms().budget().leftBytes());
    assertEquals(1, lab.events.count("PeerFault"));
    assertFalse(path.tryOpen(new TestCall(link, ROUTE.id(), 8)));
  }

  @Test
  void shouldEndTheCallWhoseAnswerBreaksTheCredit() throws Exception {
    WorkerLab bounded =
        new WorkerLab(new FakeEndpoint(16, 64), new ReceiveBudget(1_000_000_000L, 64 << 10));
    PeerLink narrow = bounded.link(1);
    PeerPath path = bounded.open(narrow, WorkerLab.terms(1, true, 4_096));
    TestCall broken = new TestCall(narrow, ROUTE.id(), 8);
    TestCall other = new TestCall(narrow, ROUTE.id(), 8);
    narrow.onCall(broken, bounded.nowNs);
    narrow.onCall(other, bounded.nowNs);
    bounded.turn();

    byte[] tooMuch = FarSide.response(broken.transferId(), 0, new byte[8_000]);
    bounded.endpoint.arrivals.add(far.packet(tooMuch));
    bounded.turn();

    assertEquals(List.of(path), bounded.ended);
    assertEquals(CallOutcome.PEER_RESET, other.outcome);
    assertEquals(CallOutcome.PEER_RESET, broken.outcome);
    assertEquals(1, broken.endings);
  }

  @Test
  void shouldEndStreamsOfThePeerThoughTheCompletionOfACallThrows() throws Exception {
    List<StreamOffer> offers = new ArrayList<>();
    lab.routes.add(ROUTE, StreamPattern.BIDIRECTIONAL, offers::add);
    PeerPath path = lab.open(link, 1, true);
    link.onCall(new TestCall(link, ROUTE.id(), 8, true), lab.nowNs);
    lab.endpoint.arrivals.add(
        far.packet(FlowFrames.opening(TransferIds.of(0), ROUTE.id(), StreamPattern.BIDIRECTIONAL)));
    lab.turn();

    path.close(CloseReason.PEER_FAULT, CallOutcome.PEER_RESET, "gone");

    StreamEnd end = offers.getFirst().stream().inlet().end();
    assertNotNull(end);
    assertEquals(CallOutcome.PEER_RESET, end.outcome());
  }

  @Test
  void shouldFailAllThatWaitsWhenACompletionThrows() {
    TestCall first = new TestCall(link, ROUTE.id(), 8, true);
    TestCall second = new TestCall(link, ROUTE.id(), 8);
    link.onCall(first, lab.nowNs);
    link.onCall(second, lab.nowNs);
    List<String> told = new ArrayList<>();
    link.connect(reason -> told.add(String.valueOf(reason)));
    assertThrows(
        IllegalStateException.class,
        () -> link.onConnectFailed(CallOutcome.HANDSHAKE_FAILED, "nobody there"));
    assertEquals(List.of("nobody there"), told);
    assertEquals(CallOutcome.HANDSHAKE_FAILED, second.outcome);
  }

  @Test
  void shouldEndThePathsToFormerLivesOfAPeerAndNoOthers() throws Exception {
    PeerLink stranger = lab.link(4);
    PeerPath former = lab.open(link, life(1, "10.0.0.1:1", 1));
    PeerPath earlier = lab.open(link, life(2, "10.0.0.1:1", 7));
    PeerPath newest = lab.open(link, life(3, "10.0.0.1:1", 2));
    PeerPath other = lab.open(stranger, life(4, "10.0.0.4:1", 1));
    TestCall onNewest = new TestCall(link, ROUTE.id(), 8);
    link.onCall(onNewest, lab.nowNs);
    TestCall onFormer = new TestCall(link, ROUTE.id(), 8);
    assertTrue(former.tryOpen(onFormer));

    lab.services.paths().endFormer(new PeerIncarnation("10.0.0.1:1", 2));

    assertEquals(List.of(former, earlier), lab.ended);
    assertEquals(CallOutcome.PEER_RESET, onFormer.outcome);
    assertNull(onNewest.outcome);
    assertFalse(newest.isOver());
    assertFalse(other.isOver());
    assertEquals(2, lab.services.paths().size());
    FarSide late = new FarSide(1, false);
    lab.endpoint.arrivals.add(late.packet(FarSide.response(0, 0, new byte[4])));
    lab.turn();
    assertEquals(1, lab.events.drops(DropReason.UNKNOWN_PATH));
    lab.services.paths().endFormer(new PeerIncarnation("10.0.0.1:1", 3));
    lab.services.paths().endFormer(new PeerIncarnation("10.0.0.1:1", 4));
    assertEquals(List.of(former, earlier, newest), lab.ended);
  }

  private static PathTerms life(int path, String peer, long incarnation) {
    PeerIncarnation life = new PeerIncarnation(peer, incarnation);
    return WorkerLab.terms(path, true, WorkerLab.WINDOW_BYTES, life);
  }

  @Test
  void shouldEndACallWhoseResponseIsBad() throws Exception {
    for (int status : new int[] {11, 13, 15, 255}) {
      WorkerLab own = new WorkerLab(new FakeEndpoint(16, 64));
      PeerLink peer = own.link(1);
      own.open(peer, 1, true);
      TestCall call = new TestCall(peer, ROUTE.id(), 8);
      peer.onCall(call, own.nowNs);
      own.turn();
      FarSide side = new FarSide(1, false);
      own.endpoint.arrivals.add(
          side.packet(FarSide.response(call.transferId(), status, new byte[4])));
      own.turn();
      assertEquals(CallOutcome.PEER_RESET, call.outcome);
      assertEquals(1, call.endings);
      assertEquals(1, own.events.count("ProtocolViolation"));
    }
  }

  @Test
  void shouldEndACallWhoseAnswerIsLongerThanADatagram() throws Exception {
    PathTerms terms = WorkerLab.terms(1, true, 1_000);
    lab.open(link, terms);
    TestCall call = new TestCall(link, ROUTE.id(), 8);
    link.onCall(call, lab.nowNs);
    lab.turn();
    byte[] answer = new byte[terms.maxDatagramBytes()];
    lab.endpoint.arrivals.add(far.packet(FarSide.response(call.transferId(), 0, answer)));
    lab.turn();
    assertEquals(CallOutcome.PEER_RESET, call.outcome);
    assertEquals(1, lab.ended.size());
  }

  @Test
  void shouldHandleNothingMoreOnceFaulted() throws Exception {
    int[] executed = new int[1];
    lab.routes.add(
        ROUTE,
        call -> {
          executed[0]++;
          call.reply(call.buffer(), call.payloadOffset(), 0);
        });
    PeerPath path = lab.open(link, 1, true);
    TestCall throwing = new TestCall(link, ROUTE.id(), 8, true);
    link.onCall(throwing, lab.nowNs);
    lab.turn();
    for (int i = 0; i < 5; i++) {
      lab.endpoint.arrivals.add(
          far.packet(
              FarSide.response(throwing.transferId(), 0, new byte[1]),
              FarSide.request(TransferIds.of(i), ROUTE.id(), new byte[8])));
    }
    lab.endpoint.sent.clear();
    lab.turn();
    lab.turn();
    assertEquals(1, lab.faults.size());
    assertEquals(1, lab.events.count("PeerFault"));
    assertEquals(0, executed[0]);
    assertEquals(0, lab.endpoint.sent.size());
    assertFalse(path.tryOpen(new TestCall(link, ROUTE.id(), 8)));

    path.close(CloseReason.PEER_FAULT, CallOutcome.PEER_FAULT, "failed");
    assertEquals(List.of(path), lab.ended);
  }

  /** Inputs from the network that are no packets of the path; the worker goes on after a fault. */
  @ParameterizedTest
  @ValueSource(strings = {"onPathMaxDatagramChanged", "onPeerUnreachable", "onDoubt"})
  void shouldKeepAFaultInAnInputWithItsPath(String planted) throws Exception {
    PathToken token = new PathToken(3, 4);
    PeerPath path = lab.open(link, 1, true);
    path.packets().renewal().onToken(path.pathId(), token);
    link.onCall(new TestCall(link, ROUTE.id(), 8), lab.nowNs);
    lab.turn();
    SegmentBuffer claim = new SegmentBuffer(new byte[PacketHeader.UNKNOWN_LENGTH]);
    long number = path.recovery().oldestInFlight();
    PacketHeader.encodeUnknown(claim, 0, path.pathId(), number, token.proofOf(number));
    lab.planted = planted;

    switch (planted) {
      case "onPathMaxDatagramChanged" -> path.packets().onLocalMtu(1_472, lab.nowNs);
      case "onPeerUnreachable" -> path.packets().onUnreachable(lab.nowNs);
      default -> lab.onReceive(claim, 0, PacketHeader.UNKNOWN_LENGTH, 0);
    }

    assertTrue(path.packets().isOver());
    assertEquals(1, lab.faults.size());
    assertEquals(1, lab.events.count("PeerFault"));
  }

  @Test
  void shouldIgnoreWhatFollowsAPathCloseInItsPacket() throws Exception {
    int[] executed = new int[1];
    lab.routes.add(ROUTE, call -> executed[0]++);
    lab.open(link, 1, true);
    lab.endpoint.arrivals.add(
        far.packet(FarSide.close(), FarSide.request(TransferIds.of(0), ROUTE.id(), new byte[8])));
    lab.turn();
    assertEquals(1, lab.ended.size());
    assertEquals(0, executed[0]);
  }

  @Test
  void shouldTellEveryPeerTwiceThatItsPathEndedHoweverFewBuffersThereAre() throws Exception {
    WorkerLab own = new WorkerLab(new FakeEndpoint(4, 64));
    List<PeerPath> paths = new ArrayList<>();
    List<FarSide> sides = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      paths.add(own.open(own.link(i), i, true));
      sides.add(new FarSide(i, false));
    }
    own.turns(100, 1_000);
    own.endpoint.sent.clear();
    for (PeerPath path : paths) {
      path.close(CloseReason.SHUTDOWN, CallOutcome.CLOSED, "closed");
    }
    assertEquals(40, own.ended.size());
    own.turns(30, 1_000_000);
    assertTrue(own.services.packets().closes().isEmpty());
    List<byte[]> sent = List.copyOf(own.endpoint.sent);
    assertEquals(80, sent.size());
    for (int i = 0; i < 40; i++) {
      assertEquals(List.of(6), sides.get(i).templates(sent.get(i)));
    }
    assertEquals(0, own.endpoint.openDestinations());
    assertEquals(1, own.endpoint.buffersMissing(), "one is held for whatever comes next");
  }

  @Test
  void shouldFailAllThatComesOnceTheTransportIsClosed() throws Exception {
    lab.open(link, 1, true);
    link.close(WorkerEnd.CLOSED);
    TestCall call = new TestCall(link, ROUTE.id(), 8);
    link.onCall(call, lab.nowNs);
    assertEquals(CallOutcome.CLOSED, call.outcome);
    List<String> told = new ArrayList<>();
    link.connect(reason -> told.add(String.valueOf(reason)));
    assertEquals(List.of("the transport was closed"), told);
  }

  @Test
  void shouldKeepCallsOfAnOpenPathWhenAnotherHandshakeFails() throws Exception {
    WorkerLab own = new WorkerLab(new FakeEndpoint(16, 64));
    PeerLink peer = own.link(2);
    PathTerms terms = WorkerLab.terms(2, true, WorkerLab.WINDOW_BYTES);
    own.open(
        peer,
        new PathTerms(
            terms.peer(),
            terms.secret(),
            true,
            terms.workers(),
            terms.rails(),
            terms.sendLimitBytes(),
            terms.receiveWindow(),
            new PathTerms.Agreement(
                1, terms.maxDatagramBytes(), AesKeySize.AES_128, 16 << 10, 0, 0),
            PathTerms.Handshake.ofUnproved(terms.rttNs())));
    peer.onCall(new TestCall(peer, ROUTE.id(), 8), own.nowNs);
    TestCall waiting = new TestCall(peer, ROUTE.id(), 8);
    peer.onCall(waiting, own.nowNs);
    assertEquals(1, peer.waitingCount());
    peer.onConnectFailed(CallOutcome.HANDSHAKE_FAILED, "this side's own attempt timed out");
    assertNull(waiting.outcome);
    assertEquals(1, peer.waitingCount());
  }
}
