package io.millrace.actor.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.millrace.actor.packet.PathCounters;
import io.millrace.actor.packet.PathToken;
import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointAddress;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.CloseReason;
import java.nio.ByteBuffer;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Claims that a peer has lost the secret of a path; rules U-1 to U-3. */
class UnknownPathsTest {
  private static final PathToken TOKEN = new PathToken(3, 4);
  private static final long SECOND_NS = 1_000_000_000L;

  private final WorkerLab lab = new WorkerLab(new FakeEndpoint(128, 64));
  private final UnsafeBuffer arrived = new UnsafeBuffer(ByteBuffer.allocateDirect(64));
  private final PathCounters counters = lab.services.context().counters();

  private void claim(long pathId, PathToken token) {
    PacketHeader.encodeUnknown(arrived, 0, pathId, token.first(), token.second());
    lab.onReceive(arrived, 0, PacketHeader.UNKNOWN_LENGTH, 0);
  }

  @Test
  void shouldAskAPeerThatKnowsItsTokenOnceInASecond() throws DriverException {
    PeerPath path = lab.open(lab.link(1), 1, true);
    path.packets().renewal().onToken(path.pathId(), TOKEN);
    for (int i = 0; i < 10_000; i++) {
      claim(path.pathId(), TOKEN);
    }
    assertEquals(List.of(path.pathId()), lab.doubted);
    lab.nowNs += SECOND_NS;
    claim(path.pathId(), TOKEN);
    assertEquals(2, lab.doubted.size());
    assertEquals(0, counters.datagramsDropped);
    assertEquals(1, lab.services.paths().size());
  }

  private int answersTo(int packets, long firstId) {
    long before = counters.unknownSecretsSent;
    for (int i = 0; i < packets; i++) {
      PacketHeader.encodeFixed(arrived, 0, 0, 0, firstId + i);
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
    assertEquals(PacketHeader.UNKNOWN_LENGTH, lab.endpoint.sent.getFirst().length);
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

  @Test
  void shouldBelieveNobodyElse() throws DriverException {
    PeerPath path = lab.open(lab.link(1), 1, true);
    // No token was told yet, so that zeros are none, either.
    claim(path.pathId(), PathToken.NONE);
    path.packets().renewal().onToken(path.pathId(), TOKEN);
    claim(path.pathId(), PathToken.NONE);
    for (int i = 0; i < 10_000; i++) {
      claim(path.pathId(), new PathToken(TOKEN.first() + i, TOKEN.second() + 1));
    }
    claim(path.pathId() + 1, TOKEN);
    assertEquals(List.of(), lab.doubted);
    assertEquals(10_001, counters.unknownSecretsForged);
    assertEquals(10_003, counters.datagramsDropped);
    assertFalse(path.isOver());
  }
}
