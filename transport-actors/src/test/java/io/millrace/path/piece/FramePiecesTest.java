package io.millrace.path.piece;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.path.packet.PathTerms;
import io.millrace.path.peer.FakeEndpoint;
import io.millrace.path.peer.PeerLink;
import io.millrace.path.peer.PeerPath;
import io.millrace.path.peer.TestCall;
import io.millrace.path.peer.WorkerLab;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Frames between two nodes whose datagrams become smaller than the frames; over fake endpoints.
 * Rules T-8 and N-9.
 */
class FramePiecesTest {
  private static final RouteId ROUTE = RouteId.of("r");
  private static final int LARGE = 4_000;
  private static final int ETHERNET = 1_472;
  private static final long STEP_NS = 1_000_000;

  private final WorkerLab near = new WorkerLab(new FakeEndpoint(64, 64));
  private final WorkerLab far = new WorkerLab(new FakeEndpoint(64, 64));
  private final PeerLink link = near.link(1);
  private final List<byte[]> sent = new ArrayList<>();
  private final List<byte[]> executed = new ArrayList<>();
  private final Random random = new Random(7);
  private PeerPath path;
  private PeerPath farPath;

  @BeforeEach
  void open() throws Exception {
    far.routes.add(
        ROUTE,
        call -> {
          byte[] payload = new byte[call.payloadLength()];
          call.buffer().getBytes(call.payloadOffset(), payload);
          executed.add(payload);
          call.reply(call.buffer(), call.payloadOffset(), call.payloadLength());
        });
    path = near.open(link, withPieces(WorkerLab.terms(1, true, WorkerLab.WINDOW_BYTES)));
    farPath = far.open(far.link(1), withPieces(WorkerLab.terms(1, false, WorkerLab.WINDOW_BYTES)));
    run(10, datagram -> false);
    assertEquals(WorkerLab.MAX_DATAGRAM_BYTES, path.packets().size().datagramBytes());
    assertEquals(WorkerLab.MAX_DATAGRAM_BYTES, farPath.packets().size().datagramBytes());
  }

  private static PathTerms withPieces(PathTerms terms) {
    PathTerms.Agreement usual = terms.agreement();
    return new PathTerms(
        terms.peer(),
        terms.secret(),
        terms.initiator(),
        terms.workers(),
        terms.rails(),
        terms.sendLimitBytes(),
        terms.receiveWindow(),
        new PathTerms.Agreement(
            usual.remoteTransfers(),
            usual.maxDatagramBytes(),
            usual.keySize(),
            usual.remoteHeadersBytes(),
            usual.remoteCreditMs(),
            usual.queueNs(),
            false,
            true),
        terms.handshake());
  }

  private TestCall call() {
    byte[] payload = new byte[LARGE];
    random.nextBytes(payload);
    sent.add(payload);
    TestCall call = new TestCall(link, ROUTE.id(), payload, false);
    link.onCall(call, near.nowNs);
    return call;
  }

  /** Both nodes have turns; datagrams arrive unless lost. */
  private void run(int ms, Predicate<byte[]> isLost) {
    for (int i = 0; i < ms; i++) {
      near.turns(1, STEP_NS);
      deliver(near, far, isLost);
      far.turns(1, STEP_NS);
      deliver(far, near, isLost);
    }
  }

  private static void deliver(WorkerLab from, WorkerLab to, Predicate<byte[]> isLost) {
    from.endpoint.sent.removeIf(isLost);
    to.endpoint.arrivals.addAll(from.endpoint.sent);
    from.endpoint.sent.clear();
  }

  private static boolean isTooLong(byte[] datagram) {
    return datagram.length > ETHERNET;
  }

  private void shrink() {
    path.packets().onLocalMtu(ETHERNET, near.nowNs);
    farPath.packets().onLocalMtu(ETHERNET, far.nowNs);
  }

  private void assertNoFaults() {
    assertTrue(near.faults.isEmpty() && far.faults.isEmpty());
    assertFalse(path.packets().isOver() || farPath.packets().isOver());
  }

  @Test
  void shouldFinishARequestThatWasLostAsAnUncutFrame() {
    TestCall call = call();
    near.turn();
    assertTrue(near.endpoint.sent.stream().anyMatch(FramePiecesTest::isTooLong));
    near.endpoint.sent.clear();
    shrink();
    run(500, FramePiecesTest::isTooLong);
    assertEquals(CallOutcome.OK, call.outcome);
    assertEquals(1, executed.size());
    assertArrayEquals(sent.getFirst(), executed.getFirst());
    assertNoFaults();
  }

  @Test
  void shouldFinishAnAnswerThatWasLostAsAnUncutFrame() {
    TestCall call = call();
    near.turn();
    deliver(near, far, datagram -> false);
    far.turn();
    assertTrue(far.endpoint.sent.stream().anyMatch(FramePiecesTest::isTooLong));
    far.endpoint.sent.clear();
    shrink();
    run(500, FramePiecesTest::isTooLong);
    assertEquals(CallOutcome.OK, call.outcome);
    assertEquals(1, executed.size());
    assertNoFaults();
  }

  @Test
  void shouldFinishMoreFramesThanGoAtOnceThoughPiecesAreLost() {
    List<TestCall> calls = new ArrayList<>();
    for (int i = 0; i < 3 * CutFrames.MOST_FRAMES; i++) {
      calls.add(call());
    }
    near.turns(3, 0);
    near.endpoint.sent.clear();
    shrink();
    run(4_000, datagram -> isTooLong(datagram) || random.nextInt(4) == 0);
    run(500, FramePiecesTest::isTooLong);
    assertTrue(calls.stream().allMatch(call -> call.outcome == CallOutcome.OK));
    assertEquals(calls.size(), executed.size());
    for (byte[] payload : sent) {
      assertTrue(executed.stream().anyMatch(each -> Arrays.equals(each, payload)));
    }
    assertNoFaults();
  }
}
