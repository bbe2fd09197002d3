package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.ControlOpener;
import io.millrace.event.DropReason;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.RouteId;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A dropped packet counts under its right reason. */
@Timeout(60)
class DropReasonTest {
  private static final RouteId ECHO = RouteId.of("echo");
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);

  @Test
  void shouldTellKeysThatAreNotAcceptedFromWrongTags() throws Exception {
    DropEvents events = new DropEvents();
    try (TwoNodes nodes =
            new TwoNodes(
                "", builder -> builder.events(events, DropEvents.OPTIONS), builder -> builder);
        DatagramSocket stranger = new DatagramSocket()) {
      Raw.serveOnWorker(
          nodes.server,
          ECHO,
          call -> call.reply(call.buffer(), call.payloadOffset(), call.payloadLength()));
      call(nodes);
      long pathId = events.firstPathId();
      for (int i = 0; i < 5; i++) {
        send(stranger, nodes, pathId, ControlOpener.KEYS_AHEAD + 1);
        send(stranger, nodes, pathId, -1);
      }
      for (int i = 0; i < 3; i++) {
        send(stranger, nodes, pathId, ControlOpener.KEYS_AHEAD);
      }
      for (int length = 0; length < PacketHeader.OVERHEAD; length++) {
        stranger.send(
            new DatagramPacket(
                new byte[length], length, HostilePackets.workerAddress(nodes.server)));
      }
      long startNs = System.nanoTime();
      while (events.total() < 53 && System.nanoTime() - startNs < PATIENCE_NS) {
        call(nodes);
      }
      assertEquals(PacketHeader.OVERHEAD, events.count(DropReason.MALFORMED));
      assertEquals(10, events.count(DropReason.UNKNOWN_KEY));
      assertEquals(3, events.count(DropReason.NOT_AUTHENTIC));
      WorkerSnapshot.Packets packets = nodes.server.snapshot().workers().getFirst().packets();
      assertEquals(10, packets.unknownKeys());
      assertEquals(3, packets.authenticationFailures());
      assertTrue(packets.datagramsDropped() >= 53, packets::toString);
    }
  }

  private static void call(TwoNodes nodes) throws Exception {
    Raw.unary(nodes.peer(), ECHO, new byte[1]).get(20, TimeUnit.SECONDS);
  }

  private static void send(DatagramSocket from, TwoNodes nodes, long pathId, int keyId)
      throws Exception {
    byte[] packet = HostilePackets.forged(new Random(keyId), pathId, keyId, 1_000_000, 40);
    from.send(
        new DatagramPacket(packet, packet.length, HostilePackets.workerAddress(nodes.server)));
  }
}
