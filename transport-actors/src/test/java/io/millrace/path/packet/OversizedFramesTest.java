package io.millrace.path.packet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.config.NicSettings;
import io.millrace.config.TransportSettings;
import io.millrace.ends.StreamEnd;
import io.millrace.path.peer.FakeEndpoint;
import io.millrace.path.peer.FarSide;
import io.millrace.path.peer.PeerLink;
import io.millrace.path.peer.PeerPath;
import io.millrace.path.peer.TestCall;
import io.millrace.path.peer.TransferIds;
import io.millrace.path.peer.WorkerLab;
import io.millrace.path.stream.StreamCall;
import io.millrace.protocol.stream.StreamPattern;
import io.millrace.protocol.transfer.OutboundFrame;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.RouteId;
import io.millrace.wire.codec.InlineRequestEncoder;
import io.millrace.wire.codec.RequestRegionsEncoder;
import io.millrace.wire.codec.StreamCloseEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.agrona.MutableDirectBuffer;
import org.junit.jupiter.api.Test;

/** Messages made for larger datagrams than the path turns out to carry. */
class OversizedFramesTest {
  private static final RouteId ROUTE = RouteId.of("r");
  private static final int LARGE = 4_000;
  private static final int ETHERNET = 1_472;

  /** The least base of a node that bounds all bytes on their way to the node. */
  private static final int LEAST_BASE = 192;

  private static final int OPENING = InlineRequestEncoder.TEMPLATE_ID;
  private static final int CLOSE = StreamCloseEncoder.TEMPLATE_ID;
  private static final int REQUEST_REGIONS = RequestRegionsEncoder.TEMPLATE_ID;

  private final WorkerLab lab = new WorkerLab(new FakeEndpoint(16, 64));
  private final PeerLink link = lab.link(1);
  private final FarSide far = new FarSide(1, false);

  private PeerPath openWithJumboFrames() throws Exception {
    PeerPath path = lab.open(link, 1, true);
    lab.turn();
    ackAll(path);
    lab.turn();
    assertEquals(WorkerLab.MAX_DATAGRAM_BYTES, path.packets().size().datagramBytes());
    return path;
  }

  private void ackAll(PeerPath path) {
    lab.endpoint.arrivals.add(far.packet(FarSide.ackUpTo(path.recovery().nextPacketNumber() - 1)));
  }

  private TestCall call(int bytes) {
    TestCall call = new TestCall(link, ROUTE.id(), bytes);
    link.onCall(call, lab.nowNs);
    return call;
  }

  /**
   * All rails drop too large datagrams, and the path leaves each rail because of the silence. Rule
   * M-4.
   */
  @Test
  void shouldGiveUpASizeAlthoughTheRailChanges() throws Exception {
    PathSize size = openWithJumboFrames().packets().size();
    call(LARGE);
    for (int i = 0; i < 20; i++) {
      size.onRail(WorkerLab.MAX_DATAGRAM_BYTES);
      lab.turns(30, 1_000_000);
    }
    assertEquals(NicSettings.BASE_DATAGRAM_BYTES, size.datagramBytes());
  }

  /** The answer to a probe that went by the former rail comes after the move. Rule N-9. */
  @Test
  void shouldSeekTheSizeOfAnotherFamilyByProbesOfItsOwn() throws Exception {
    PathSize size = openWithJumboFrames().packets().size();
    long earlier = size.probeItem(ETHERNET);
    size.onFamily(WorkerLab.MAX_DATAGRAM_BYTES);
    assertEquals(NicSettings.BASE_DATAGRAM_BYTES, size.datagramBytes());
    assertFalse(size.isSettled());
    size.onProbeAcked(earlier);
    assertEquals(NicSettings.BASE_DATAGRAM_BYTES, size.datagramBytes());
    size.onProbeAcked(size.probeItem(ETHERNET));
    assertEquals(ETHERNET, size.datagramBytes());
  }

  /** A frame with all credit waits for the size, and a frame that is early does not. Rule M-5. */
  @Test
  void shouldSeekASizeWithoutCreditOnlyForAFrameThatWaitsForTheSize() throws Exception {
    PathTerms usual = WorkerLab.terms(1, true, WorkerLab.WINDOW_BYTES);
    PathTerms.Agreement agreement = usual.agreement();
    PathTerms bounded =
        new PathTerms(
            usual.peer(),
            usual.secret(),
            true,
            usual.workers(),
            usual.rails(),
            LEAST_BASE,
            usual.receiveWindow(),
            new PathTerms.Agreement(
                agreement.remoteTransfers(),
                agreement.maxDatagramBytes(),
                agreement.keySize(),
                agreement.remoteHeadersBytes(),
                20,
                0),
            usual.handshake());
    PathFrames frames = lab.open(link, bounded).packets().frames();
    frames.queue(new Waiting(true, 100));
    lab.turn();
    assertFalse(frames.mayProbe(WorkerLab.MAX_DATAGRAM_BYTES));
    frames.queue(new Waiting(false, LARGE));
    lab.turn();
    assertTrue(frames.mayProbe(WorkerLab.MAX_DATAGRAM_BYTES));
  }

  /** A frame that costs nothing; a fake. */
  private static final class Waiting extends OutboundFrame {
    private final boolean isEarly;
    private final int bytes;

    private Waiting(boolean isEarly, int bytes) {
      this.isEarly = isEarly;
      this.bytes = bytes;
    }

    @Override
    public boolean isEarly() {
      return isEarly;
    }

    @Override
    public int encodedLength() {
      return bytes;
    }

    @Override
    public int priority() {
      return 3;
    }

    @Override
    public int costBytes() {
      return 0;
    }

    @Override
    public int contentLength() {
      return 0;
    }

    @Override
    public void encode(MutableDirectBuffer buffer, int offset) {
      throw new AssertionError("the frame never goes");
    }

    @Override
    public long item() {
      return 0;
    }

    @Override
    public boolean isObsolete() {
      return false;
    }
  }

  @Test
  void shouldNotSayThatACallWasNotExecutedWhichWasSent() throws Exception {
    PeerPath path = openWithJumboFrames();
    TestCall sent = call(LARGE);
    lab.turn();
    long limit = path.packets().credit().announce();
    path.packets().onLocalMtu(ETHERNET, lab.nowNs);
    TestCall unsent = call(LARGE);
    lab.turns(100, 1_000_000);
    assertNull(unsent.outcome);
    assertTrue(unsent.isSentAsBody());
    assertEquals(CallOutcome.PEER_RESET, sent.outcome);
    assertEquals(true, sent.text.endsWith("any more; the call may have been executed"));

    byte[] response = FarSide.response(sent.transferId(), 0, new byte[100]);
    lab.endpoint.arrivals.add(far.packet(response));
    lab.endpoint.arrivals.add(far.packet(response));
    lab.turn();
    assertEquals(1, sent.endings);
    assertEquals(limit, path.packets().credit().announce());
    assertEquals(0, lab.faults.size());
  }

  @Test
  void shouldNotFailACallThatWasAnsweredWhileItWaitedToBeSentAgain() throws Exception {
    PeerPath path = openWithJumboFrames();
    TestCall call = call(LARGE);
    lab.turn();
    path.packets().frames().queueFirst(call);
    lab.endpoint.arrivals.add(far.packet(FarSide.response(call.transferId(), 0, new byte[10])));
    path.packets().onLocalMtu(ETHERNET, lab.nowNs);
    lab.turns(3, 1_000);
    assertEquals(CallOutcome.OK, call.outcome);
    assertEquals(1, call.endings);
    assertEquals(true, path.packets().frames().waitingLevels() == 0);
  }

  @Test
  void shouldLetSmallMessagesPassWhileTheSizeIsSought() throws Exception {
    lab.open(link, 1, true);
    lab.turn();
    TestCall large = call(LARGE);
    TestCall small = call(8);
    lab.endpoint.sent.clear();
    lab.turn();
    assertEquals(1, lab.endpoint.sent.size());
    // The path's token follows the call; the path sends the token once.
    assertEquals(List.of(4, 25), far.templates(lab.endpoint.sent.remove()));
    assertNull(large.outcome);
    assertNull(small.outcome);
    PeerPath path = link.path();
    if (path == null) {
      throw new AssertionError("the path is open");
    }
    ackAll(path);
    lab.turns(3, 1_000);
    assertEquals(LARGE + 64 > ETHERNET, lab.endpoint.sent.stream().anyMatch(d -> d.length > LARGE));
    assertNull(large.outcome);
  }

  @Test
  void shouldSendWhatStoodAsideAsABodyOnceTheSizeIsSettled() throws Exception {
    lab.open(link, 1, true);
    lab.turn();
    TestCall large = call(LARGE);
    lab.turn();
    PeerPath path = link.path();
    if (path == null) {
      throw new AssertionError("the path is open");
    }
    path.packets().onLocalMtu(1_000 + PacketHeader.OVERHEAD, lab.nowNs);
    lab.turns(3, 1_000);
    assertNull(large.outcome);
    assertTrue(large.isSentAsBody());
  }

  /** A stream whose opening was sent in a large datagram, lost, and waits for the path's size. */
  private StreamCall streamWithItsOpeningAside(PeerPath path) {
    TransportSettings settings = lab.services.context().settings();
    StreamCall stream =
        new StreamCall(
            link,
            lab.handle(link).port(),
            StreamPattern.STREAMING_RESPONSE,
            new StreamCall.Opening(ROUTE.id(), 3, new byte[0], new byte[LARGE]),
            settings);
    link.onCall(stream, lab.nowNs);
    lab.turn();
    for (int timeout = 0; timeout < 3; timeout++) {
      path.packets().onTurn(lab.nowNs + timeout * 50_000_000L);
      path.packets().size().onProbeTimeout();
    }
    path.packets().frames().queueFirst(stream);
    lab.turn();
    lab.endpoint.sent.clear();
    return stream;
  }

  private void cancel(StreamCall stream) {
    stream.ends().inlet().cancel();
    stream.ends().onTaken(lab.nowNs);
  }

  private List<Integer> templatesSent() {
    List<Integer> templates = new ArrayList<>();
    lab.endpoint.sent.forEach(datagram -> templates.addAll(far.templates(datagram)));
    lab.endpoint.sent.clear();
    return templates;
  }

  /**
   * The peer would drop these frames, and all frames in the same packets: the peer would
   * acknowledge no such packet.
   */
  @Test
  void shouldSendNoFrameOfAStreamWhoseOpeningStandsAside() throws Exception {
    PeerPath path = openWithJumboFrames();
    StreamCall stream = streamWithItsOpeningAside(path);
    cancel(stream);
    lab.turns(3, 1_000);
    List<Integer> before = templatesSent();
    assertFalse(before.contains(CLOSE), before.toString());
    path.packets().size().onProbeAcked(WorkerLab.MAX_DATAGRAM_BYTES);
    lab.turns(3, 1_000);
    List<Integer> after = templatesSent();
    int opening = after.indexOf(OPENING);
    int close = after.indexOf(CLOSE);
    assertTrue(opening >= 0 && close > opening, after.toString());
    assertEquals(0, lab.faults.size());
  }

  @Test
  void shouldSendNoFrameOfAStreamBeforeItsOpeningThatBecameABody() throws Exception {
    PeerPath path = openWithJumboFrames();
    StreamCall stream = streamWithItsOpeningAside(path);
    stream.setCharged(false);
    cancel(stream);
    path.packets().onLocalMtu(1_000 + PacketHeader.OVERHEAD, lab.nowNs);
    lab.turns(3, 1_000);
    List<Integer> sent = templatesSent();
    assertFalse(sent.contains(CLOSE), sent.toString());
    assertTrue(sent.contains(REQUEST_REGIONS), sent.toString());
    assertEquals(0, lab.faults.size());
  }

  /**
   * The peer may have the opening: segments of both flows may have taken credit. Of a stream given
   * up nobody would count the credit; rule S-10.
   */
  @Test
  void shouldEndThePathOfAStreamWhoseSentOpeningDoesNotFitAnyMore() throws Exception {
    PeerPath path = openWithJumboFrames();
    StreamCall stream = streamWithItsOpeningAside(path);
    TestCall other = call(8);
    lab.turn();
    path.packets().onLocalMtu(1_000 + PacketHeader.OVERHEAD, lab.nowNs);
    lab.turns(3, 1_000);
    StreamEnd end = Objects.requireNonNull(stream.ends().inlet().end());
    assertEquals(CallOutcome.PEER_RESET, end.outcome());
    assertTrue(end.text().endsWith("any more; the call may have been executed"), end.text());
    assertTrue(path.packets().isOver());
    assertEquals(CallOutcome.PEER_RESET, other.outcome);
    assertEquals(0, lab.faults.size());
  }

  @Test
  void shouldAnswerThatAResponseIsTooLargeForThePath() throws Exception {
    lab.routes.add(ROUTE, call -> call.reply(call.buffer(), call.payloadOffset(), LARGE));
    PeerPath path = openWithJumboFrames();
    lab.endpoint.arrivals.add(
        far.packet(FarSide.request(TransferIds.of(0), ROUTE.id(), new byte[LARGE])));
    lab.turn();
    path.packets().onLocalMtu(ETHERNET, lab.nowNs);
    lab.endpoint.sent.clear();
    lab.turns(100, 1_000_000);
    String text = " any more; the call was executed";
    assertTrue(lab.endpoint.sent.stream().anyMatch(d -> far.hold(d, text)));
    assertTrue(lab.endpoint.sent.stream().allMatch(d -> d.length <= ETHERNET));
  }
}
