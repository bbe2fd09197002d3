package io.millrace.path.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointAddress;
import io.millrace.ends.PathCounters;
import io.millrace.memory.SegmentBuffer;
import io.millrace.path.packet.PathToken;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.RouteId;
import io.millrace.wire.codec.CloseReason;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Claims that a peer has lost the secret of a path; rules U-1 to U-3. */
class UnknownPathsTest {
  private static final PathToken TOKEN = new PathToken(3, 4);
  private static final long MS_NS = 1_000_000L;
  private static final long SECOND_NS = 1_000 * MS_NS;
  private static final RouteId ROUTE = RouteId.of("echo");

  private final WorkerLab lab = new WorkerLab(new FakeEndpoint(128, 64));
  private final SegmentBuffer arrived = new SegmentBuffer(ByteBuffer.allocateDirect(64));
  private final PathCounters counters = lab.services.context().counters();

  private void claim(long pathId, long packetNumber, long proof) {
    PacketHeader.encodeUnknown(arrived, 0, pathId, packetNumber, proof);
    lab.onReceive(arrived, 0, PacketHeader.UNKNOWN_LENGTH, 0);
  }

  /** A path whose peer has sent its token, and with a packet in flight. */
  private PeerPath busyPath() throws DriverException {
    PeerLink link = lab.link(1);
    PeerPath path = lab.open(link, 1, true);
    path.packets().renewal().onToken(path.pathId(), TOKEN);
    link.onCall(new TestCall(link, ROUTE.id(), 8), lab.nowNs);
    lab.turn();
    assertTrue(path.recovery().isInFlight(inFlight(path)));
    return path;
  }

  private static long inFlight(PeerPath path) {
    return path.recovery().oldestInFlight();
  }

  @Test
  void shouldAskAPeerThatProvesItOnceInASecond() throws DriverException {
    PeerPath path = busyPath();
    long number = inFlight(path);
    for (int i = 0; i < 1_000; i++) {
      claim(path.pathId(), number, TOKEN.proofOf(number));
    }
    assertEquals(List.of(path.pathId()), lab.doubted);
    lab.nowNs += SECOND_NS;
    claim(path.pathId(), number, TOKEN.proofOf(number));
    assertEquals(2, lab.doubted.size());
    assertEquals(0, counters.datagramsDropped);
    assertEquals(1, lab.services.paths().size());
  }

  /** A once valid proof proves no later claim. */
  @Test
  void shouldBelieveNoAnswerToAPacketThatIsNotInFlight() throws DriverException {
    PeerPath path = busyPath();
    long next = path.recovery().nextPacketNumber();
    for (long number : new long[] {-1, next, next + 1, Long.MAX_VALUE, Long.MIN_VALUE}) {
      claim(path.pathId(), number, TOKEN.proofOf(number));
    }
    lab.turns(100, 10 * MS_NS);
    assertEquals(List.of(), lab.doubted);
    assertEquals(5, counters.unknownSecretsForged);
  }

  /**
   * The next life of a peer cannot prove the loss of a path; an eavesdropper cannot prove the loss
   * either.
   */
  @Test
  void shouldProbeAPeerOfWhichItIsSaidWithoutProofAndAskItIfThatIsNotAnswered()
      throws DriverException {
    PeerPath path = busyPath();
    int sent = lab.endpoint.sent.size();
    claim(path.pathId(), inFlight(path), 1);
    lab.turn();
    assertEquals(sent + 1, lab.endpoint.sent.size(), "a probe");
    assertEquals(List.of(), lab.doubted);
    lab.turns(20, path.recovery().probeIntervalNs() / 10);
    assertEquals(List.of(path.pathId()), lab.doubted);
  }

  @Test
  void shouldAskNobodyWhoIsHeardOf() throws DriverException {
    WorkerLab other = new WorkerLab(new FakeEndpoint(128, 64));
    PeerLink back = other.link(1);
    other.open(back, 1, false);
    PeerPath path = busyPath();
    for (int i = 0; i < 3; i++) {
      claim(path.pathId(), inFlight(path), i);
      lab.turn();
      back.onCall(new TestCall(back, ROUTE.id(), 8), other.nowNs);
      other.turn();
      lab.endpoint.arrivals.addAll(other.endpoint.sent);
      other.endpoint.sent.clear();
      lab.turns(10, 10 * MS_NS);
      other.nowNs = lab.nowNs;
    }
    assertEquals(List.of(), lab.doubted);
    assertFalse(path.isOver());
  }

  private int answersTo(int packets, long firstId) {
    long before = counters.unknownSecretsSent;
    for (int i = 0; i < packets; i++) {
      PacketHeader.encodeFixed(arrived, 0, 0, 0, firstId + i);
      PacketHeader.encodeNumber(arrived, 0, 0, 77 + i);
      lab.onReceive(arrived, 0, PacketHeader.OVERHEAD, 0);
    }
    lab.services.paths().unknown().post(lab.nowNs);
    return (int) (counters.unknownSecretsSent - before);
  }

  @Test
  void shouldAnswerSoMuchAndNoMore() throws DriverException {
    assertEquals(0, answersTo(10, 1_000), "nobody knows where they came from");
    lab.endpoint.source = new EndpointAddress("fake", new byte[1]);
    assertEquals(100, answersTo(1_000, 2_000));
    assertEquals(0, answersTo(10, 4_000));
    lab.nowNs += SECOND_NS / UnknownPaths.PER_SECOND;
    assertEquals(1, answersTo(10, 4_000));
    assertEquals(101, lab.endpoint.sent.size());
    SegmentBuffer answer = new SegmentBuffer(lab.endpoint.sent.getFirst());
    assertEquals(PacketHeader.UNKNOWN_LENGTH, answer.capacity());
    assertEquals(77, PacketHeader.packetNumber(answer, 0));
    PathToken told = lab.services.context().terms().tokens().of(2_000);
    assertEquals(told.proofOf(77), PacketHeader.unknownProof(answer, 0));
    assertNotEquals(told.proofOf(78), told.proofOf(77));
  }

  /** A stranger sent a packet to the wrong worker of the node. */
  @Test
  void shouldNotAnswerForAPathOfAnotherWorker() throws DriverException {
    lab.endpoint.source = new EndpointAddress("fake", new byte[1]);
    lab.services.paths().unknown().onNodeSecrets(id -> id < 5_000);
    assertEquals(0, answersTo(1_000, 2_000));
    lab.nowNs += SECOND_NS / UnknownPaths.PER_SECOND;
    assertEquals(1, answersTo(1, 5_000), "they count as if they had been answered");
    assertEquals(0, answersTo(1, 5_000));
  }

  @Test
  void shouldNotAnswerARetirement() throws DriverException {
    lab.endpoint.source = new EndpointAddress("fake", new byte[1]);
    PacketHeader.encodeFixed(arrived, 0, 0, 0, 1_000);
    PacketHeader.encodeRetirement(arrived, 0, PacketHeader.OF_DATA_KEYS, 1);
    lab.onReceive(arrived, 0, PacketHeader.OVERHEAD, 0);
    lab.services.paths().unknown().post(lab.nowNs);
    assertEquals(0, counters.unknownSecretsSent);
  }

  @Test
  void shouldNotAnswerBesideItsOwnFarewell() throws DriverException {
    lab.endpoint.source = new EndpointAddress("fake", new byte[1]);
    PeerPath path = lab.open(lab.link(1), 1, true);
    long id = path.pathId();
    lab.turn();
    path.close(CloseReason.SUPERSEDED, CallOutcome.PEER_RESET, "it is not wanted any more");
    assertEquals(0, answersTo(1, id));
    lab.nowNs += SECOND_NS;
    assertEquals(1, answersTo(1, id));
  }

  /**
   * Packets may overtake the opening of the path at the peer: only an open path has sent its token.
   */
  @Test
  void shouldNotDoubtAPathThatThePeerMayNotHaveOpenedYet() throws DriverException {
    PeerLink link = lab.link(1);
    PeerPath path = lab.open(link, 1, true);
    link.onCall(new TestCall(link, ROUTE.id(), 8), lab.nowNs);
    lab.turn();
    claim(path.pathId(), inFlight(path), 0);
    claim(path.pathId() + 1, inFlight(path), 0);
    lab.turns(5, 10 * MS_NS);
    assertEquals(List.of(), lab.doubted);
    assertEquals(2, counters.datagramsDropped);
  }
}
