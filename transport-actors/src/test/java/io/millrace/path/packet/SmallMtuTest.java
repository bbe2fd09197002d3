package io.millrace.path.packet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.path.peer.FakeEndpoint;
import io.millrace.path.peer.PeerLink;
import io.millrace.path.peer.PeerPath;
import io.millrace.path.peer.TestCall;
import io.millrace.path.peer.WorkerLab;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two nodes whose paths begin with datagrams of 1,200 bytes; the interface of the first node sends
 * no more than 1,150 bytes: a fake endpoint drops longer datagrams. Rule M-6.
 */
class SmallMtuTest {
  private static final RouteId ROUTE = RouteId.of("r");
  private static final int LIMIT = 1_150;
  private static final int TOO_LARGE = 1_100;
  private static final int SMALL = 8;
  private static final long STEP_NS = 1_000_000;
  private static final int FAIL_AFTER_MS = 750;

  private final WorkerLab near = new WorkerLab(new FakeEndpoint(16, 64));
  private final WorkerLab far = new WorkerLab(new FakeEndpoint(16, 64));
  private final PeerLink link = near.link(1);
  private PeerPath path;

  @BeforeEach
  void open() throws Exception {
    near.endpoint.pathMaxDatagramBytes = LIMIT;
    near.endpoint.refusedAboveBytes = LIMIT;
    far.routes.add(
        ROUTE, call -> call.reply(call.buffer(), call.payloadOffset(), call.payloadLength()));
    path = near.open(link, 1, true);
    far.open(far.link(1), 1, false);
  }

  private TestCall call(int bytes) {
    TestCall call = new TestCall(link, ROUTE.id(), bytes);
    link.onCall(call, near.nowNs);
    return call;
  }

  /** Both nodes have turns; flushed datagrams arrive. */
  private void run(int ms) {
    for (int i = 0; i < ms; i++) {
      near.turns(1, STEP_NS);
      far.endpoint.arrivals.addAll(near.endpoint.sent);
      near.endpoint.sent.clear();
      far.turns(1, STEP_NS);
      near.endpoint.arrivals.addAll(far.endpoint.sent);
      far.endpoint.sent.clear();
    }
  }

  private void assertFailedBySize(TestCall large) {
    assertEquals(CallOutcome.PEER_RESET, large.outcome);
    assertEquals(
        "this host sends datagrams of 1150 bytes to 10.0.0.1:1, and a path needs 1200: an MTU of"
            + " 1228, or 1248 with IPv6",
        large.text);
    assertTrue(near.faults.isEmpty());
  }

  /** Small calls in the same packet as a dropped frame get no answer either. */
  @Test
  void shouldEndThePathWithASentenceOnSizeThoughSmallCallsAreAnswered() {
    TestCall large = call(TOO_LARGE);
    int answered = 0;
    for (int i = 0; i < FAIL_AFTER_MS / 50; i++) {
      assertNull(large.outcome);
      run(2);
      TestCall small = call(SMALL);
      run(48);
      answered += small.outcome == CallOutcome.OK ? 1 : 0;
    }
    assertTrue(answered > 0, "the peer is there");
    run(10);
    assertFailedBySize(large);
  }

  @Test
  void shouldSayTheSameWhenNothingElseIsSent() {
    TestCall large = call(TOO_LARGE);
    run(FAIL_AFTER_MS - 10);
    assertNull(large.outcome);
    run(20);
    assertFailedBySize(large);
  }

  @Test
  void shouldKeepThePathWhileNothingLargerIsSent() {
    TestCall small = call(SMALL);
    run(10);
    assertEquals(CallOutcome.OK, small.outcome);
    run(2 * FAIL_AFTER_MS);
    assertFalse(path.packets().isEnded());
  }

  /** Where the system cuts datagrams into fragments, the size is no reason for a failure. */
  @Test
  void shouldKeepThePathWhereTheSystemSendsThemAllTheSame() {
    near.endpoint.refusedAboveBytes = Integer.MAX_VALUE;
    TestCall large = call(TOO_LARGE);
    run(10);
    assertEquals(CallOutcome.OK, large.outcome);
    run(2 * FAIL_AFTER_MS);
    assertFalse(path.packets().isEnded());
  }
}
