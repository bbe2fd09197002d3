package io.millrace.path.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.buffer.ByteBudget;
import io.millrace.crypto.AeadProviders;
import io.millrace.memory.SegmentBuffer;
import io.millrace.path.packet.WorkerEnd;
import io.millrace.protocol.health.HealthObservation;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.PeerHealth;
import io.millrace.wire.FrameStart;
import io.millrace.wire.RouteId;
import io.millrace.wire.codec.CloseReason;
import io.millrace.wire.codec.DrainEncoder;
import io.millrace.wire.codec.ProbeDecoder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Calls that wait for a peer that is not ready, where other calls fail at once; rule L-6. */
class WaitForReadyTest {
  private static final RouteId ROUTE = RouteId.of("r");
  private static final long STEP_NS = 1_000_000;
  private static final int PROBE = ProbeDecoder.TEMPLATE_ID;
  private static final long LIMIT_MS = 2_000;

  private final WorkerLab lab =
      new WorkerLab(new FakeEndpoint(16, 64), "", AeadProviders.discover().select(0));
  private final FarSide far = new FarSide(1, false);
  private final PeerLink link = lab.link(1);
  private final List<Long> handshakes = new ArrayList<>();

  private TestCall call(long limitMs) {
    return call(link, limitMs);
  }

  private TestCall call(PeerLink to, long limitMs) {
    TestCall call = new TestCall(to, ROUTE.id(), 10);
    call.waitForReady(limitMs * STEP_NS);
    call.expireAfter(60_000 * STEP_NS);
    call.onTaken(lab.nowNs);
    turns(1);
    return call;
  }

  private void turns(long ms) {
    lab.turns((int) ms, STEP_NS);
  }

  private PeerPath open() throws Exception {
    return lab.open(link, 1, true);
  }

  private void giveUp() {
    link.health().on(0, HealthObservation.GIVEN_UP, lab.nowNs, "it is silent");
  }

  /** The peer answers all that the node has sent, until the peer takes calls. */
  private void answer(PeerPath path) {
    for (int probe = 0; probe < 50 && !link.health().state().takesCalls(); probe++) {
      byte[] ack = FarSide.ackUpTo(path.packets().keys().nextPacketNumber() - 1);
      byte[] answer = {};
      while (!lab.endpoint.sent.isEmpty()) {
        byte[] datagram = lab.endpoint.sent.remove();
        if (far.templates(datagram).contains(PROBE)) {
          ProbeDecoder asked = far.probe(datagram);
          answer = FarSide.answer(asked.probeId(), asked.sentNs());
        }
      }
      lab.endpoint.arrivals.add(far.packet(ack, answer));
      turns(10);
    }
    assertTrue(link.health().state().takesCalls());
  }

  /** The peer tells that the peer takes no more calls. */
  private static byte[] leaving() {
    SegmentBuffer frame = new SegmentBuffer(new byte[64]);
    DrainEncoder encoder = new DrainEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.flags((short) 1);
    return FarSide.framed(
        frame, encoder.limit(), DrainEncoder.BLOCK_LENGTH, DrainEncoder.TEMPLATE_ID);
  }

  private static int opened(PeerPath path) {
    return path.calls().calls().openCount();
  }

  @Test
  void shouldSendAWaitingCallOnceThePeerHasAnsweredItsProbes() throws Exception {
    PeerPath path = open();
    giveUp();
    TestCall hasty = call(0);
    TestCall patient = call(400);
    assertEquals(CallOutcome.PEER_UNREACHABLE, hasty.outcome);
    turns(200);
    assertNull(patient.outcome);
    assertEquals(0, opened(path));
    assertEquals(1, link.waitingCount());

    answer(path);
    turns(25);
    assertEquals(1, opened(path));
    assertEquals(0, link.waitingCount());
    turns(250);
    assertEquals(0, patient.endings, "the limit is for the wait, and not for the call");
  }

  @Test
  void shouldFailAsEveryOtherCallWhenTheLimitIsOver() throws Exception {
    PeerPath path = open();
    giveUp();
    TestCall patient = call(500);
    turns(495);
    assertNull(patient.outcome);
    turns(10);
    assertEquals(CallOutcome.PEER_UNREACHABLE, patient.outcome);
    assertEquals(
        "10.0.0.1:1 is FAILED, and this was not sent to it; the call waited for 500 ms",
        patient.text);
    answer(path);
    turns(50);
    assertEquals(0, opened(path));
    assertEquals(1, patient.endings);
  }

  @Test
  void shouldLookForAPeerThatCouldNotBeShakenHandsWith() throws Exception {
    link.onConnector(() -> handshakes.add(lab.nowNs));
    TestCall hasty = call(0);
    TestCall patient = call(LIMIT_MS);
    assertEquals(1, handshakes.size());
    link.onConnectFailed(CallOutcome.HANDSHAKE_FAILED, "nobody listens there");
    assertEquals(CallOutcome.HANDSHAKE_FAILED, hasty.outcome);
    turns(500);
    assertEquals(2, handshakes.size());
    link.onConnectFailed(CallOutcome.HANDSHAKE_FAILED, "still nobody");
    assertNull(patient.outcome);
    turns(700);
    assertEquals(3, handshakes.size());

    PeerPath path = open();
    turns(1);
    assertEquals(1, opened(path));
    assertEquals(PeerHealth.HEALTHY, link.health().state());
  }

  @Test
  void shouldNameTheLastReasonForWhichNoHandshakeSucceeded() {
    link.onConnector(() -> handshakes.add(lab.nowNs));
    TestCall patient = call(1_000);
    link.onConnectFailed(CallOutcome.HANDSHAKE_FAILED, "nobody listens there");
    turns(500);
    link.onConnectFailed(CallOutcome.HANDSHAKE_FAILED, "still nobody");
    turns(520);
    assertEquals(CallOutcome.HANDSHAKE_FAILED, patient.outcome);
    assertEquals("still nobody; the call waited for 1 s", patient.text);
    int asked = handshakes.size();
    turns(20_000);
    assertEquals(asked, handshakes.size(), "nobody wants the peer any more");
  }

  @Test
  void shouldFindThatAnotherWorkerHasFoundThePeer() throws Exception {
    link.onConnector(() -> handshakes.add(lab.nowNs));
    giveUp();
    TestCall patient = call(60_000);
    for (int i = 0; i < 5; i++) {
      turns(6_500);
      link.onConnectFailed(CallOutcome.HANDSHAKE_FAILED, "nobody listens there");
    }
    assertNull(patient.outcome);
    int asked = handshakes.size();
    link.health().onProbeAnswered(1, lab.nowNs);
    for (int probe = 0; probe < 3; probe++) {
      link.health().onProbeAnswered(1, lab.nowNs);
    }
    turns(25);
    assertEquals(asked + 1, handshakes.size());
    PeerPath path = open();
    turns(1);
    assertEquals(1, opened(path));
  }

  @Test
  void shouldBeCancelledAndExpireAndEndWithTheNodeWhileItWaits() throws Exception {
    PeerPath _ = open();
    giveUp();
    TestCall cancelled = call(LIMIT_MS);
    TestCall ended = call(LIMIT_MS);
    TestCall expired = new TestCall(link, ROUTE.id(), 10);
    expired.waitForReady(LIMIT_MS * STEP_NS);
    expired.expireAfter(100 * STEP_NS);
    expired.onTaken(lab.nowNs);
    link.cancel(cancelled, CallOutcome.CANCELLED, "planted");
    turns(110);
    assertEquals(CallOutcome.CANCELLED, cancelled.outcome);
    assertEquals(CallOutcome.EXPIRED, expired.outcome);
    assertEquals(1, link.waitingCount());
    link.close(WorkerEnd.CLOSED);
    assertEquals(WorkerEnd.CLOSED.outcome(), ended.outcome);
    assertEquals(0, link.waitingCount());
  }

  @Test
  void shouldNotWaitBeyondTheNumberOfCallsThatMayWait() throws Exception {
    PeerPath _ = open();
    giveUp();
    for (int i = 0; i < 100; i++) {
      assertNull(call(LIMIT_MS).outcome);
    }
    assertEquals(CallOutcome.PEER_UNREACHABLE, call(LIMIT_MS).outcome);
    assertEquals(100, link.waitingCount());
  }

  @Test
  void shouldKeepEachOfAFullLineOfCallsWhenThePeerLeaves() throws Exception {
    PeerPath path = open();
    link.onSuspected(path);
    List<TestCall> full = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      full.add(call(LIMIT_MS));
    }
    lab.endpoint.arrivals.add(far.packet(leaving()));
    turns(1);
    link.onTrusted(path);
    full.forEach(each -> assertNull(each.outcome));
    assertEquals(100, link.waitingCount());
  }

  @Test
  void shouldSendACallThatWasHeldBackAheadOfYoungerCalls() throws Exception {
    TestCall older = call(LIMIT_MS);
    link.onConnectFailed(CallOutcome.HANDSHAKE_FAILED, "nobody listens there");
    TestCall younger = call(0);
    PeerPath _ = open();
    assertTrue(older.transferId() < younger.transferId());
  }

  @Test
  void shouldNotWaitBeyondTheBytesThatTheNodeHasForWaitingCalls() throws Exception {
    CallLimits limits = new CallLimits(100, new ByteBudget(2 * 266));
    PeerLink other = lab.link(2, limits);
    other.health().on(0, HealthObservation.GIVEN_UP, lab.nowNs, "it is silent");
    TestCall first = call(other, LIMIT_MS);
    assertNull(first.outcome);
    PeerLink third = lab.link(3, limits);
    third.health().on(0, HealthObservation.GIVEN_UP, lab.nowNs, "it is silent");
    assertNull(call(third, LIMIT_MS).outcome);
    assertEquals(CallOutcome.PEER_UNREACHABLE, call(other, LIMIT_MS).outcome);
    other.cancel(first, CallOutcome.CANCELLED, "planted");
    assertNull(call(third, LIMIT_MS).outcome);
  }

  @Test
  void shouldWaitForThePeersNextLifeWhileThePeerLeaves() throws Exception {
    PeerPath path = open();
    lab.endpoint.arrivals.add(far.packet(leaving()));
    turns(1);
    TestCall hasty = call(0);
    TestCall patient = call(LIMIT_MS);
    assertEquals(CallOutcome.SHUTTING_DOWN, hasty.outcome);
    assertNull(patient.outcome);
    path.close(CloseReason.SHUTDOWN, CallOutcome.PEER_RESET, "planted");
    link.onPathClosed(path);
    assertFalse(link.isConnecting());
    turns(400);
    assertTrue(link.isConnecting());
    PeerPath next = lab.open(link, 2, true);
    turns(1);
    assertEquals(1, opened(next));
  }
}
