package io.millrace.path.piece;

import static io.millrace.path.piece.PieceLab.ETHERNET;
import static io.millrace.path.piece.PieceLab.NONE;
import static io.millrace.path.piece.PieceLab.STEP_NS;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.EndpointAddress;
import io.millrace.path.network.Rail;
import io.millrace.path.network.RailPlan;
import io.millrace.path.packet.PathTerms;
import io.millrace.path.peer.FakeEndpoint;
import io.millrace.path.peer.PeerPath;
import io.millrace.path.peer.TestCall;
import io.millrace.path.peer.WorkerLab;
import io.millrace.path.stream.StreamCall;
import io.millrace.path.stream.StreamOffer;
import io.millrace.protocol.congestion.ReceiveBudget;
import io.millrace.protocol.stream.StreamPattern;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Frames between two nodes whose datagrams become smaller than the frames; over fake endpoints.
 * Rules T-8, T-13, M-5 and N-9.
 */
class FramePiecesTest {
  private static final RouteId FLOW = RouteId.of("f");
  private static final int LARGE = 4_000;
  private static final int SEGMENT = 2_000;

  /** The least base of a node that bounds all bytes on their way to it. */
  private static final int LEAST_BASE = 192;

  private final Random random = new Random(7);

  private byte[] payload() {
    byte[] payload = new byte[LARGE];
    random.nextBytes(payload);
    return payload;
  }

  private static void assertNoFaults(PieceLab lab) {
    assertTrue(lab.near.faults.isEmpty() && lab.far.faults.isEmpty());
    assertFalse(lab.path.packets().isOver() || lab.farPath.packets().isOver());
  }

  @Test
  void shouldFinishARequestThatWasLostAsAnUncutFrame() throws Exception {
    PieceLab lab = new PieceLab();
    byte[] payload = payload();
    TestCall call = lab.call(payload);
    lab.near.turn();
    assertTrue(lab.near.endpoint.sent.stream().anyMatch(PieceLab::isTooLong));
    lab.near.endpoint.sent.clear();
    lab.shrink();
    lab.run(500, PieceLab::isTooLong);
    assertEquals(CallOutcome.OK, call.outcome);
    assertEquals(1, lab.executed.size());
    assertArrayEquals(payload, lab.executed.getFirst());
    assertNoFaults(lab);
  }

  @Test
  void shouldFinishAnAnswerThatWasLostAsAnUncutFrame() throws Exception {
    PieceLab lab = new PieceLab();
    TestCall call = lab.call(payload());
    lab.near.turn();
    PieceLab.deliver(lab.near, lab.far, NONE);
    lab.far.turn();
    assertTrue(lab.far.endpoint.sent.stream().anyMatch(PieceLab::isTooLong));
    lab.far.endpoint.sent.clear();
    lab.shrink();
    lab.run(500, PieceLab::isTooLong);
    assertEquals(CallOutcome.OK, call.outcome);
    assertEquals(1, lab.executed.size());
    assertNoFaults(lab);
  }

  @Test
  void shouldFinishMoreFramesThanGoAtOnceThoughPiecesAreLost() throws Exception {
    PieceLab lab = new PieceLab();
    List<byte[]> sent = new ArrayList<>();
    List<TestCall> calls = new ArrayList<>();
    for (int i = 0; i < 3 * CutFrames.MOST_FRAMES; i++) {
      sent.add(payload());
      calls.add(lab.call(sent.getLast()));
    }
    lab.near.turns(3, 0);
    lab.near.endpoint.sent.clear();
    lab.shrink();
    lab.run(4_000, datagram -> PieceLab.isTooLong(datagram) || random.nextInt(4) == 0);
    lab.run(500, PieceLab::isTooLong);
    assertTrue(calls.stream().allMatch(call -> call.outcome == CallOutcome.OK));
    assertEquals(calls.size(), lab.executed.size());
    for (byte[] payload : sent) {
      assertTrue(lab.executed.stream().anyMatch(each -> Arrays.equals(each, payload)));
    }
    assertNoFaults(lab);
  }

  /** The acknowledgement of the pieces comes, and the answer with it is lost. */
  @Test
  void shouldCountTheArrivalOfARequestInPiecesAsProgress() throws Exception {
    PieceLab lab = new PieceLab();
    lab.call(payload());
    lab.near.turn();
    lab.near.endpoint.sent.clear();
    lab.shrink();
    long before = lab.near.services.context().counters().packetsWithProgress;
    for (int i = 0; i < 500; i++) {
      lab.near.turns(1, STEP_NS);
      PieceLab.deliver(lab.near, lab.far, PieceLab::isTooLong);
      lab.far.turns(1, STEP_NS);
      PieceLab.deliver(lab.far, lab.near, datagram -> datagram.length > 90);
    }
    assertEquals(before + 1, lab.near.services.context().counters().packetsWithProgress);
  }

  /**
   * The places of cut frames are few: segments that the peer refuses, since the opening has not
   * come, would take all, and leave none to the opening.
   */
  @Test
  void shouldCutNoSegmentAheadOfItsOpening() throws Exception {
    PieceLab lab = new PieceLab();
    List<StreamOffer> offers = new ArrayList<>();
    lab.far.routes.add(FLOW, StreamPattern.BIDIRECTIONAL, offers::add);
    widen(lab);
    List<StreamCall> streams = openings(lab);
    lab.near.turn();
    lab.near.endpoint.sent.clear();
    for (int i = 0; i < 3; i++) {
      lab.call(8);
      lab.near.turn();
    }
    for (int i = 0; i < CutFrames.MOST_FRAMES; i++) {
      streams.get(i % streams.size()).ends().outlet().offer(new byte[SEGMENT]);
      lab.near.turns(1, 20_000);
    }
    streams.forEach(stream -> stream.ends().outlet().end());
    lab.near.turn();
    PieceLab.deliver(lab.near, lab.far, NONE);
    lab.far.turn();
    PieceLab.deliver(lab.far, lab.near, NONE);
    assertEquals(0, offers.size());
    lab.near.turn();
    // The openings go again whole, and are lost again.
    assertTrue(lab.near.endpoint.sent.stream().anyMatch(datagram -> datagram.length > LARGE));
    lab.shrink();
    lab.near.endpoint.sent.removeIf(PieceLab::isTooLong);
    for (int i = 0; i < 2; i++) {
      lab.call(8);
      lab.near.turns(1, 100_000);
    }
    PieceLab.deliver(lab.near, lab.far, PieceLab::isTooLong);
    lab.far.turns(1, STEP_NS);
    PieceLab.deliver(lab.far, lab.near, PieceLab::isTooLong);
    // The segments are declared lost ahead of the openings.
    lab.near.nowNs += 600_000;
    lab.near.turns(6, 100_000);
    int elements = 0;
    for (int ms = 0; ms < 5_000; ms++) {
      lab.run(1, PieceLab::isTooLong);
      for (StreamOffer offer : offers) {
        while (offer.stream().inlet().poll() != null) {
          elements++;
        }
      }
    }
    assertEquals(CutFrames.MOST_FRAMES, elements);
    assertNoFaults(lab);
  }

  /** Calls until the congestion window has room for all that a test sends at once. */
  private static void widen(PieceLab lab) {
    for (int i = 0; i < 600; i++) {
      lab.call(LARGE);
      lab.run(i % 10 == 9 ? 3 : 0, NONE);
    }
  }

  private static List<StreamCall> openings(PieceLab lab) {
    List<StreamCall> streams = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      StreamCall stream =
          new StreamCall(
              lab.link,
              lab.near.handle(lab.link).port(),
              StreamPattern.BIDIRECTIONAL,
              new StreamCall.Opening(FLOW.id(), 3, new byte[2_000], new byte[0]),
              lab.near.services.context().settings());
      lab.link.onCall(stream, lab.near.nowNs);
      streams.add(stream);
    }
    return streams;
  }

  /** All credit of the peer is with frames that wait for the size; rule M-5. */
  @Test
  void shouldSeekTheSizeWithoutCreditWhileFramesWait() throws Exception {
    PieceLab lab = new PieceLab(new ReceiveBudget(125_000_000L, 256 << 10), LEAST_BASE);
    for (int i = 0; i < 20; i++) {
      lab.call(8);
      lab.run(5, NONE);
    }
    List<TestCall> calls = new ArrayList<>();
    for (int bytes : new int[] {LARGE, 1_300, 600, 200, 1}) {
      takeCredit(lab, bytes, calls);
    }
    lab.near.turns(3, 0);
    lab.near.endpoint.sent.clear();
    Rail other = new Rail(0, 0, new EndpointAddress("other", new byte[] {1}), false);
    lab.path.packets().onRail(other, ETHERNET);
    lab.farPath.packets().onRail(other, ETHERNET);
    lab.run(5_000, PieceLab::isTooLong);
    assertTrue(calls.stream().allMatch(call -> call.outcome == CallOutcome.OK));
    assertEquals(ETHERNET, lab.path.packets().size().datagramBytes());
  }

  /** Makes calls of this size in frames while the peer's credit allows. */
  private static void takeCredit(PieceLab lab, int bytes, List<TestCall> calls) {
    TestCall probe = new TestCall(lab.link, PieceLab.ROUTE.id(), new byte[bytes], false);
    while (lab.path.packets().frames().mostSegmentBytes() > Math.max(bytes, LEAST_BASE)
        && lab.path.packets().frames().isWorthWaiting(probe)) {
      calls.add(lab.call(bytes));
      assertFalse(calls.getLast().isSentAsBody());
    }
  }

  @Test
  void shouldSendTheFirstLargeFrameToAPeerThatBoundsBytes() throws Exception {
    PieceLab lab = new PieceLab(new ReceiveBudget(12_500_000L, 24 << 10), LEAST_BASE);
    for (int i = 0; i < 3; i++) {
      lab.call(8);
      lab.run(2, NONE);
    }
    TestCall first = lab.call(2_500);
    lab.run(1_000, NONE);
    assertEquals(CallOutcome.OK, first.outcome);
  }

  @Test
  void shouldKnowTheFamilyOfAPathThatBeganOnItsSecondRail() throws Exception {
    Rail better = new Rail(0, 0, new EndpointAddress("better", new byte[] {1}), false);
    Rail second = new Rail(0, 1, new EndpointAddress("fake", new byte[] {1}), false);
    WorkerLab near = new WorkerLab(new FakeEndpoint(16, 64));
    near.endpoint.refusedFamily = "better";
    near.endpoint.pathMaxDatagramBytes = ETHERNET;
    PathTerms usual = PieceLab.terms(true, WorkerLab.WINDOW_BYTES, 0);
    PeerPath path =
        near.open(
            near.link(1),
            new PathTerms(
                usual.peer(),
                usual.secret(),
                usual.initiator(),
                usual.workers(),
                new RailPlan(List.of(better, second), true, false),
                usual.sendLimitBytes(),
                usual.receiveWindow(),
                usual.agreement(),
                usual.handshake()));
    assertEquals("fake", path.packets().rails().rail().address().family());
    path.packets().onRail(better, WorkerLab.MAX_DATAGRAM_BYTES);
    assertEquals(
        WorkerLab.MAX_DATAGRAM_BYTES - PacketHeader.OVERHEAD,
        path.packets().size().maxFrameBytes());
  }
}
