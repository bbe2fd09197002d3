package io.millrace.actor.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.protocol.transfer.CallOutcome;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.Route;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages that were made for larger datagrams than the path turns out to carry. */
class OversizedFramesTest {
  private static final Route ROUTE = Route.of("r");
  private static final int LARGE = 4_000;
  private static final int ETHERNET = 1_472;

  private final WorkerLab lab = new WorkerLab(new FakeEndpoint(16, 64));
  private final PeerLink link = lab.link(1);
  private final FarSide far = new FarSide(1, false);

  private PeerPath openWithJumboFrames() throws Exception {
    PeerPath path = lab.open(link, 1, true);
    lab.turn();
    ackAll(path);
    lab.turn();
    assertEquals(WorkerLab.MAX_DATAGRAM_BYTES, path.datagramBytes());
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

  @Test
  void shouldNotSayThatACallWasNotExecutedWhichWasSent() throws Exception {
    PeerPath path = openWithJumboFrames();
    TestCall sent = call(LARGE);
    lab.turn();
    long limit = path.transfers().announceCredit();
    path.onLocalMtu(ETHERNET);
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
    assertEquals(limit + 164, path.transfers().announceCredit());
    assertEquals(0, lab.faults.size());
  }

  @Test
  void shouldNotFailACallThatWasAnsweredWhileItWaitedToBeSentAgain() throws Exception {
    PeerPath path = openWithJumboFrames();
    TestCall call = call(LARGE);
    lab.turn();
    path.transfers().queueAgain(call);
    lab.endpoint.arrivals.add(far.packet(FarSide.response(call.transferId(), 0, new byte[10])));
    path.onLocalMtu(ETHERNET);
    lab.turns(3, 1_000);
    assertEquals(CallOutcome.OK, call.outcome);
    assertEquals(1, call.endings);
    assertEquals(true, path.transfers().frames().isEmpty());
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
    assertEquals(List.of(4), far.templates(lab.endpoint.sent.remove()));
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
    path.onLocalMtu(1_000 + PacketHeader.OVERHEAD);
    lab.turns(3, 1_000);
    assertNull(large.outcome);
    assertTrue(large.isSentAsBody());
  }

  @Test
  void shouldAnswerThatAResponseIsTooLargeForThePath() throws Exception {
    lab.routes.add(ROUTE, call -> call.reply(call.buffer(), call.payloadOffset(), LARGE));
    PeerPath path = openWithJumboFrames();
    lab.endpoint.arrivals.add(
        far.packet(FarSide.request(TransferIds.of(0), ROUTE.id(), new byte[LARGE])));
    lab.turn();
    path.onLocalMtu(ETHERNET);
    lab.endpoint.sent.clear();
    lab.turns(100, 1_000_000);
    assertEquals(true, lab.endpoint.sent.stream().anyMatch(d -> far.templates(d).contains(5)));
    assertEquals(true, lab.endpoint.sent.stream().allMatch(d -> d.length <= ETHERNET));
  }
}
