package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.memory.SegmentBuffer;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.RouteId;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A stranger sends packets of a path to the wrong worker of the path's node; rule U-2. */
@Timeout(120)
class WrongWorkerTest {
  private static final RouteId ECHO = RouteId.of("echo");
  private static final long NO_PATH = 77;
  private static final int TIMEOUT_MS = 60_000;

  @Test
  void shouldNotSayThatThePathIsUnknownWhichAnotherWorkerHas() throws Exception {
    DropEvents atServer = new DropEvents();
    try (TwoNodes nodes =
            new TwoNodes(
                new World.Settings("millrace.workers.count = 2", ""),
                b -> b.events(atServer, DropEvents.OPTIONS),
                b -> b);
        DatagramSocket hostile = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      Raw.serveOnWorker(nodes.server, ECHO, call -> call.reply(0, 0));
      Raw.unary(nodes.peer(), ECHO, new byte[1]).get(60, TimeUnit.SECONDS);
      hostile.setSoTimeout(TIMEOUT_MS);
      for (InetSocketAddress worker : workers(nodes.server)) {
        send(hostile, worker, atServer.firstPathId());
        send(hostile, worker, NO_PATH);
        assertEquals(NO_PATH, answer(hostile), "each worker answers in the order of what came");
      }
      assertTrue(atServer.troubles().isEmpty(), () -> atServer.troubles().toString());
    }
  }

  private static List<InetSocketAddress> workers(Transport node) {
    return node.snapshot().workers().stream()
        .map(worker -> new SegmentBuffer(worker.address().bytes()))
        .map(bytes -> bytes.getShort(4, ByteOrder.BIG_ENDIAN) & 0xFFFF)
        .map(port -> new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
        .toList();
  }

  private static void send(DatagramSocket from, InetSocketAddress to, long pathId)
      throws Exception {
    byte[] forged = HostilePackets.forged(new Random(1), pathId, 0, 1L << 40, 64);
    from.send(new DatagramPacket(forged, forged.length, to));
  }

  /** Returns the path named in the next answer. */
  private static long answer(DatagramSocket socket) throws Exception {
    DatagramPacket packet = new DatagramPacket(new byte[64], 64);
    socket.receive(packet);
    SegmentBuffer bytes = new SegmentBuffer(packet.getData(), 0, packet.getLength());
    assertTrue(PacketHeader.isUnknown(bytes, 0, packet.getLength()));
    assertEquals(1L << 40, PacketHeader.packetNumber(bytes, 0));
    return PacketHeader.pathId(bytes, 0);
  }
}
