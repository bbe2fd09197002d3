package io.millrace.path.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.AeadProviders;
import io.millrace.memory.SegmentBuffer;
import io.millrace.protocol.health.HealthListener;
import io.millrace.protocol.health.HealthListener.Change;
import io.millrace.protocol.health.HealthObservation;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.PeerHealth;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.RouteId;
import io.millrace.wire.codec.ProbeDecoder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node's reaction to a silent or absent peer, with the settings of users. */
class FailFastTest {
  private static final RouteId ROUTE = RouteId.of("r");
  private static final long STEP_NS = 1_000_000;
  private static final int PRIORITY = 3;
  private static final int UNQUOTED = 0;
  private static final int PROBE = ProbeDecoder.TEMPLATE_ID;

  private final WorkerLab lab =
      new WorkerLab(new FakeEndpoint(16, 64), "", AeadProviders.discover().select(0));
  private final FarSide far = new FarSide(1, false);
  private final PeerLink link = lab.link(1);
  private final List<Change> changes = new ArrayList<>();
  private final HealthListener watcher = changes::add;
  private final List<Long> handshakes = new ArrayList<>();
  private PeerPath path;

  @BeforeEach
  void open() throws Exception {
    link.health().watch(watcher);
    link.onConnector(() -> handshakes.add(lab.nowNs));
    path = lab.open(link, 1, true);
    lab.turns(1, STEP_NS);
  }

  private TestCall call() {
    TestCall call = new TestCall(link, ROUTE.id(), 10);
    link.onCall(call, lab.nowNs);
    lab.turns(1, STEP_NS);
    return call;
  }

  private void turns(int ms) {
    lab.turns(ms, STEP_NS);
  }

  /**
   * The peer acknowledges all packets of the node, and answers the last probe among the packets.
   */
  private void hearAll() {
    byte[] ack = FarSide.ackUpTo(path.packets().keys().nextPacketNumber() - 1);
    byte[] answer = {};
    while (!lab.endpoint.sent.isEmpty()) {
      byte[] datagram = lab.endpoint.sent.remove();
      if (far.templates(datagram).contains(PROBE)) {
        ProbeDecoder probe = far.probe(datagram);
        answer = FarSide.answer(probe.probeId(), probe.sentNs());
      }
    }
    lab.endpoint.arrivals.add(far.packet(ack, answer));
    lab.turns(1, STEP_NS);
  }

  private List<PeerHealth> states() {
    return changes.stream().map(Change::to).toList();
  }

  private PeerHealth state() {
    return link.health().state();
  }

  /** The peer of the path lets the path go, as the peer's actor does. */
  private void end() {
    assertTrue(path.packets().isEnded());
    link.onPathClosed(path);
  }

  @Test
  void shouldRefuseCallsWithin300MsOfSilenceAndGiveUpWithinASecond() {
    final TestCall inFlight = call();
    turns(240);
    assertEquals(PeerHealth.HEALTHY, state());
    TestCall taken = call();
    assertEquals(2, path.calls().calls().openCount());
    turns(60);
    assertEquals(PeerHealth.PROBING, state());
    TestCall refused = call();
    assertEquals(CallOutcome.PEER_UNREACHABLE, refused.outcome);
    assertEquals("10.0.0.1:1 is PROBING, and this was not sent to it", refused.text);
    assertNull(inFlight.outcome);
    turns(500);
    assertNull(inFlight.outcome);
    turns(150);
    assertEquals(PeerHealth.FAILED, state());
    assertEquals(CallOutcome.PEER_UNRESPONSIVE, inFlight.outcome);
    assertEquals(CallOutcome.PEER_UNRESPONSIVE, taken.outcome);
    end();
    assertEquals("10.0.0.1:1 is FAILED, and this was not sent to it", call().text);
    assertEquals(List.of(PeerHealth.PROBING, PeerHealth.FAILED), states());
  }

  @Test
  void shouldRaiseNoAlarmAtAPauseOf100Ms() {
    call();
    for (int pause = 0; pause < 20; pause++) {
      turns(100);
      hearAll();
      call();
    }
    assertEquals(List.of(), states());
  }

  @Test
  void shouldTakeCallsAgainOnceProbesWereAnsweredAndSendThemWithLessPriority() {
    call();
    turns(300);
    assertEquals(PeerHealth.PROBING, state());
    for (int probe = 0; probe < 3; probe++) {
      assertEquals(CallOutcome.PEER_UNREACHABLE, call().outcome);
      assertEquals(PeerHealth.PROBING, state());
      hearAll();
    }
    hearAll();
    assertEquals(PeerHealth.DEGRADED, state());
    TestCall degraded = call();
    assertNull(degraded.outcome);
    assertEquals(PRIORITY + 1, degraded.priority());
    for (int i = 0; i < 100 && state() != PeerHealth.HEALTHY; i++) {
      call();
      hearAll();
    }
    assertEquals(List.of(PeerHealth.PROBING, PeerHealth.DEGRADED, PeerHealth.HEALTHY), states());
    assertEquals(PRIORITY, call().priority());
  }

  /**
   * The node sends no packet to an idle peer until the keep-alive has passed; then a probe, and
   * again no packet.
   */
  @Test
  void shouldProbeAPeerFromWhichNothingIsWantedOnceInAKeepAlive() {
    TestCall call = call();
    hearAll();
    lab.endpoint.arrivals.add(far.packet(FarSide.response(call.transferId(), 0, new byte[1])));
    lab.turns(1, STEP_NS);
    assertEquals(CallOutcome.OK, call.outcome);
    for (int i = 0; i < 20; i++) {
      hearAll();
    }
    turns(100);
    lab.endpoint.sent.clear();
    List<Long> probed = new ArrayList<>();
    for (long untilNs = lab.nowNs + 35_000 * STEP_NS; lab.nowNs < untilNs; turns(1)) {
      if (!lab.endpoint.sent.isEmpty()) {
        assertEquals(List.of(PROBE), far.templates(lastSent()));
        probed.add(lab.nowNs);
        hearAll();
      }
    }
    assertEquals(3, probed.size(), probed::toString);
    long keepAliveNs = lab.services.context().settings().recovery().silence().keepAliveNs();
    for (int i = 1; i < probed.size(); i++) {
      long intervalNs = probed.get(i) - probed.get(i - 1);
      assertTrue(Math.abs(intervalNs - keepAliveNs) <= keepAliveNs / 10, probed::toString);
    }
    assertEquals(List.of(), states());
  }

  private void refuse(byte[] quoted, int length) {
    path.packets().onRefused(new SegmentBuffer(quoted), 0, length, lab.nowNs);
    lab.turns(1, STEP_NS);
  }

  private byte[] lastSent() {
    return lab.endpoint.sent.getLast().clone();
  }

  @Test
  void shouldGiveUpAPeerWhoseProbeIsRefusedToo() {
    TestCall inFlight = call();
    byte[] first = lastSent();
    refuse(first, PacketHeader.LENGTH);
    byte[] probe = lastSent();
    assertTrue(far.templates(probe).contains(PROBE));
    refuse(first, PacketHeader.LENGTH);
    assertEquals(PeerHealth.HEALTHY, state(), "one packet was refused, not two");
    refuse(probe, PacketHeader.LENGTH);
    assertEquals(PeerHealth.HEALTHY, state(), "an answer to the probe may be on its way");
    for (int ms = 0; ms < 20 && state() == PeerHealth.HEALTHY; ms++) {
      turns(1);
      refuse(probe, PacketHeader.LENGTH);
    }
    assertEquals(PeerHealth.FAILED, state());
    assertEquals(CallOutcome.PEER_UNRESPONSIVE, inFlight.outcome);
    assertEquals("10.0.0.1:1 is not there: the network refuses its packets", inFlight.text);
    assertEquals(List.of(PeerHealth.FAILED), states());
    assertTrue(lab.events.lines().toString().contains("PeerUnreachable worker=0"));
  }

  /**
   * No packet confirms a refusal while the node asks whether the peer knows the path, for example.
   */
  @Test
  void shouldSayOfAPeerThatDidNotAnswerThatTheNetworkRefusedItsPackets() {
    TestCall refused = call();
    refuse(lastSent(), PacketHeader.LENGTH);
    turns(1_000);
    assertEquals(CallOutcome.PEER_UNRESPONSIVE, refused.outcome);
    assertEquals(
        "10.0.0.1:1 did not answer its probes;"
            + " 10.0.0.1:1 is not there: the network refuses its packets",
        refused.text);
  }

  /** The peer answers on another worker's path, and this worker's path is dead. */
  @Test
  void shouldLetGoOfADeadPathWithoutWorkOfAPeerThatAnswersElsewhere() {
    link.health().on(1, HealthObservation.UNANSWERED, lab.nowNs, "not heard");
    for (int ms = 0; ms < 1_500 && !path.packets().isEnded(); ms++) {
      link.health().onHeard(lab.nowNs);
      if (ms >= 300) {
        link.health().onProbeAnswered(1, lab.nowNs);
      }
      turns(1);
    }
    assertEquals(PeerHealth.DEGRADED, state());
    end();
  }

  @Test
  void shouldSayNothingOfARefusalBeforeThePeerWasHeardOfAgain() {
    call();
    refuse(lastSent(), PacketHeader.LENGTH);
    hearAll();
    TestCall silent = call();
    turns(1_000);
    assertEquals("10.0.0.1:1 did not answer its probes", silent.text);
  }

  @Test
  void shouldBelieveNoRefusalOfWhatIsNotInFlight() {
    call();
    byte[] sent = lastSent();
    lab.endpoint.sent.clear();
    byte[] otherPath = sent.clone();
    otherPath[8] ^= 1;
    byte[] otherNumber = sent.clone();
    otherNumber[20] ^= 1;
    byte[] otherForm = sent.clone();
    otherForm[0] = PacketHeader.FORM_RETIREMENT;
    for (byte[] forged : List.of(otherPath, otherNumber, otherForm)) {
      refuse(forged, PacketHeader.LENGTH);
      refuse(forged, PacketHeader.LENGTH);
    }
    hearAll();
    lab.endpoint.sent.clear();
    refuse(sent, PacketHeader.LENGTH);
    refuse(sent, UNQUOTED);
    assertEquals(0, path.packets().recovery().packetsInFlight());
    assertEquals(0, lab.endpoint.sent.size());
    assertEquals(List.of(), states());
    assertFalse(lab.events.lines().toString().contains("believed=true"));
  }

  /** An attacker with arbitrary ICMP messages cannot stop the peer from answering. */
  @Test
  void shouldNotGiveUpAPeerThatAnswers() {
    for (int i = 0; i < 50; i++) {
      call();
      refuse(lastSent(), i % 2 == 0 ? PacketHeader.LENGTH : UNQUOTED);
      hearAll();
    }
    assertEquals(List.of(), states());
  }

  @Test
  void shouldGiveUpNobodyForRefusalsThatDoNotSayOfWhat() {
    call();
    for (int ms = 0; ms < 50; ms++) {
      turns(1);
      refuse(new byte[0], UNQUOTED);
    }
    assertEquals(PeerHealth.HEALTHY, state());
  }

  @Test
  void shouldLookForAPeerWhileSomebodyWantsItAndLessAndLessOften() {
    link.health().unwatch(watcher);
    call();
    turns(900);
    end();
    assertEquals(PeerHealth.FAILED, state());
    long fromNs = lab.nowNs;
    for (int ms = 0; ms < 100_000; ms++) {
      int before = handshakes.size();
      turns(1);
      if (handshakes.size() > before) {
        link.onConnectFailed(CallOutcome.HANDSHAKE_FAILED, "nobody is there");
      }
    }
    assertTrue(handshakes.size() > 6 && handshakes.size() < 14, handshakes::toString);
    assertEquals(250.0, (handshakes.getFirst() - fromNs) / (double) STEP_NS, 70.0);
    assertEquals(500.0, (handshakes.get(1) - handshakes.getFirst()) / (double) STEP_NS, 130.0);
    assertTrue(handshakes.getLast() - fromNs < 32_000 * STEP_NS, "30 s after the last call");
    int asked = handshakes.size();
    call();
    turns(2);
    assertEquals(asked + 1, handshakes.size(), "it rested, and is wanted again");
  }

  @Test
  void shouldTakeBackAPeerThatWasGivenUpThroughProbingAndDegraded() throws Exception {
    call();
    turns(900);
    end();
    call();
    turns(400);
    assertEquals(1, handshakes.size());
    path = lab.open(link, 1, true);
    assertEquals(PeerHealth.PROBING, state());
    lab.endpoint.sent.clear();
    turns(1);
    assertEquals(CallOutcome.PEER_UNREACHABLE, call().outcome);
    for (int i = 0; i < 100 && state() != PeerHealth.HEALTHY; i++) {
      call();
      hearAll();
    }
    assertEquals(
        List.of(
            PeerHealth.PROBING,
            PeerHealth.FAILED,
            PeerHealth.PROBING,
            PeerHealth.DEGRADED,
            PeerHealth.HEALTHY),
        states());
    assertNull(call().outcome);
    turns(100);
    assertEquals(1, handshakes.size());
  }

  /** A peer may have links on several workers, but a single health. */
  @Test
  void shouldLookForAPeerThatWasGivenUpOnAPathOfAnotherWorker() {
    PeerLink other = new PeerLink(link.health(), CallLimits.of(10), () -> false);
    other.onTime(lab.services.context().time());
    other.onSearchSettings(lab.services.context().settings().recovery().health().search());
    other.onConnector(() -> handshakes.add(lab.nowNs));
    link.health().on(1, HealthObservation.GIVEN_UP, lab.nowNs, "it is silent");
    TestCall refused = new TestCall(other, ROUTE.id(), 10);
    other.onCall(refused, lab.nowNs);
    assertEquals(CallOutcome.PEER_UNREACHABLE, refused.outcome);
    turns(400);
    assertEquals(1, handshakes.size());
  }

  @Test
  void shouldAskAPeerOnItsPathThatWasGivenUpOnAnother() {
    hearAll();
    turns(100);
    link.health().on(1, HealthObservation.GIVEN_UP, lab.nowNs, "it is silent");
    assertEquals(CallOutcome.PEER_UNREACHABLE, call().outcome);
    for (int probe = 0; probe < 5 && !state().takesCalls(); probe++) {
      hearAll();
    }
    assertEquals(
        List.of(PeerHealth.FAILED, PeerHealth.PROBING, PeerHealth.DEGRADED),
        states().subList(0, 3));
    assertEquals(List.of(), handshakes);
    assertNull(call().outcome);
  }
}
