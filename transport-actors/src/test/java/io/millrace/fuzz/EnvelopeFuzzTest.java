package io.millrace.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.millrace.driver.DriverException;
import io.millrace.ends.PathCounters;
import io.millrace.event.DropReason;
import io.millrace.memory.SegmentBuffer;
import io.millrace.path.peer.FakeEndpoint;
import io.millrace.path.peer.FarSide;
import io.millrace.path.peer.PeerLink;
import io.millrace.path.peer.PeerPath;
import io.millrace.path.peer.TestCall;
import io.millrace.path.peer.TransferIds;
import io.millrace.path.peer.WorkerLab;
import io.millrace.path.peer.WriteFrames;
import io.millrace.wire.PacketHeader;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A stranger that sees the wire sends any datagrams to a worker, among the datagrams changed
 * packets of a path. The worker drops and counts each datagram, and does nothing else but probe
 * after a claim that the peer has lost the path; rules P-2, P-3 and U-3.
 */
class EnvelopeFuzzTest {
  private static final int MOST_BYTES = 10_000;

  private static final List<byte[]> AUTHENTIC = authentic();
  private static final WorkerLab LAB = new WorkerLab(new FakeEndpoint(16, 64));
  private static final SegmentBuffer ARRIVED =
      new SegmentBuffer(ByteBuffer.allocateDirect(MOST_BYTES));
  private static final PeerPath PATH = open();

  /** In flight when strangers begin: an eavesdropper knows the number of this packet. */
  private static final long IN_FLIGHT = PATH.recovery().oldestInFlight();

  private static final long PATH_ID = PATH.pathId();

  /** The peer has sent its token, and no other frame; a call to the peer is under way. */
  private static PeerPath open() {
    try {
      PeerLink link = LAB.link(1);
      PeerPath path = LAB.open(link, 1, true);
      byte[] token = AUTHENTIC.getFirst();
      ARRIVED.putBytes(0, token);
      LAB.onReceive(ARRIVED, 0, token.length, 0);
      link.onCall(new TestCall(link, PeerStage.ECHO.id(), 8), LAB.nowNs);
      LAB.turns(1, 1);
      return path;
    } catch (DriverException e) {
      throw new IllegalStateException("a fake endpoint resolves every address", e);
    }
  }

  private static List<byte[]> authentic() {
    FarSide far = new FarSide(1, false);
    return List.of(
        far.packet(PathFrames.token(FarSide.pathId(1), 3, 4)),
        far.packet(FarSide.probe()),
        far.packet(FarSide.ackUpTo(0), WriteFrames.reset(TransferIds.of(0), 1, 1)),
        far.packet(FarSide.request(TransferIds.of(1), PeerStage.ECHO.id(), new byte[200])),
        far.packet(FarSide.close()),
        far.chunkPacket(1, WriteFrames.chunk(1, 1, 1, 0, 64), new byte[64]));
  }

  static Stream<byte[]> seeds() {
    byte[] handshake = new byte[1_200];
    handshake[0] = PacketHeader.FORM_HANDSHAKE;
    // Changes for another worker, another path, another key, a later number, another tag.
    IntStream changes = IntStream.of(3, 8, 7, 17, PacketHeader.OVERHEAD - 1);
    return Stream.concat(
        AUTHENTIC.stream(),
        Stream.concat(
            changes.mapToObj(EnvelopeFuzzTest::changed),
            Stream.of(
                handshake,
                retirement(),
                unknown(PATH_ID, IN_FLIGHT),
                unknown(PATH_ID, IN_FLIGHT + 1_000),
                unknown(PATH_ID + 1, IN_FLIGHT))));
  }

  private static byte[] retirement() {
    byte[] packet = AUTHENTIC.get(1).clone();
    packet[0] = PacketHeader.FORM_RETIREMENT;
    packet[1] = PacketHeader.OF_CONTROL_KEYS;
    return packet;
  }

  /**
   * A claim that the peer has lost a path, in answer to {@code packetNumber}; with a wrong proof.
   */
  private static byte[] unknown(long pathId, long packetNumber) {
    byte[] datagram = new byte[PacketHeader.UNKNOWN_LENGTH];
    PacketHeader.encodeUnknown(new SegmentBuffer(datagram), 0, pathId, packetNumber, 2);
    return datagram;
  }

  /**
   * Whether the datagram is a claim about a packet in flight: the path probes, and drops no
   * datagram.
   */
  private static boolean isHint(int length) {
    return PacketHeader.isUnknown(ARRIVED, 0, length)
        && PacketHeader.pathId(ARRIVED, 0) == PATH_ID
        && PATH.recovery().isInFlight(PacketHeader.packetNumber(ARRIVED, 0));
  }

  private static byte[] changed(int at) {
    byte[] packet = AUTHENTIC.get(1).clone();
    packet[at] ^= 1;
    return packet;
  }

  /** Whether every byte under the protection of a path's keys is as sealed. */
  private static boolean isGenuine(byte[] datagram) {
    for (byte[] packet : AUTHENTIC) {
      boolean isChunks = packet[0] == PacketHeader.FORM_CHUNKS;
      int sealed =
          isChunks
              ? PacketHeader.OVERHEAD + packet[1] * PacketHeader.CHUNK_LENGTH
              : Math.max(packet.length, datagram.length);
      if (Arrays.equals(Arrays.copyOf(packet, sealed), Arrays.copyOf(datagram, sealed))
          && (isChunks || packet.length == datagram.length)) {
        return true;
      }
    }
    return false;
  }

  @MethodSource("seeds")
  @FuzzTest
  void shouldDropAndCount(byte[] datagram) {
    if (datagram.length > MOST_BYTES || isGenuine(datagram)) {
      return;
    }
    PathCounters counters = LAB.services.context().counters();
    long dropped = counters.datagramsDropped;
    ARRIVED.putBytes(0, datagram);
    LAB.onReceive(ARRIVED, 0, datagram.length, 0);
    int expected = isHint(datagram.length) ? 0 : 1;
    require(counters.datagramsDropped == dropped + expected, "it was not dropped");
    require(counters.packetsReceived == 1, "it was accepted");
    require(counters.protocolViolations == 0, "it was blamed on the peer");
    require(!PATH.packets().isOver(), "it ended the path");
    require(LAB.doubted.isEmpty(), "the peer was asked because of it");
    require(LAB.faults.isEmpty(), "an exception reached the worker: " + LAB.faults);
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }

  @AfterAll
  static void tell() {
    StringBuilder told = new StringBuilder("datagrams of strangers dropped:");
    for (DropReason reason : DropReason.values()) {
      told.append(' ').append(reason).append(' ').append(LAB.events.drops(reason));
    }
    System.out.println(told + "; accepted " + LAB.services.context().counters().packetsReceived);
  }
}
