package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.config.Addresses;
import io.millrace.wire.RouteId;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Strangers begin handshakes as fast as one generator sends. Peers with a path keep nine tenths of
 * their undisturbed rate. For the undisturbed rate the same generator sends to a port without a
 * listener, at the same cost for the machine and no cost for Millrace.
 */
@Tag("soak")
@Timeout(300)
class HandshakeFloodSoakTest {
  private static final RouteId ECHO = RouteId.of("echo");
  private static final int PER_SECOND = 100_000;
  private static final int WINDOW = 64;
  private static final int KINDS = 64;
  private static final int PAIRS = 60;
  private static final int WARM_UP_PAIRS = 15;
  private static final long SPELL_NS = TimeUnit.MILLISECONDS.toNanos(250);
  private static final double LEAST_SHARE = 0.9;
  private static final long MOST_GROWTH_BYTES = 16L << 20;

  @Test
  void shouldKeepTheRateOfPeersUnderAFloodOfFirstMessages() throws Exception {
    try (TwoNodes nodes = new TwoNodes("")) {
      Raw.serveOnWorker(
          nodes.server,
          ECHO,
          call -> call.reply(call.buffer(), call.payloadOffset(), call.payloadLength()));
      InetSocketAddress handshake = Addresses.parse("server", nodes.server.address());
      InetSocketAddress closed = closedPort();
      round(nodes.peer());
      DatagramFlood flood = new DatagramFlood(closed, inits(), PER_SECOND, Long.MAX_VALUE);
      FutureTask<DatagramFlood.Sent> sending = new FutureTask<>(flood);
      new Thread(sending, "flood").start();
      alternate(nodes.peer(), flood, closed, handshake, WARM_UP_PAIRS);
      long usedBefore = usedBytes();
      double[] rates = alternate(nodes.peer(), flood, closed, handshake, PAIRS);
      long grownBytes = usedBytes() - usedBefore;
      flood.stop();
      double share = rates[1] / rates[0];
      long perSecond = sending.get(20, TimeUnit.SECONDS).perSecond();
      long refused = nodes.server.snapshot().refusedHandshakes();
      System.out.printf(
          "%d first messages/s by one generator; calls/s while it sends to a closed port %.0f, to"
              + " the handshake address %.0f, which is %.1f %%; %d KiB more in use; %d handshakes"
              + " refused%n",
          perSecond, rates[0], rates[1], 100 * share, grownBytes >> 10, refused);
      assertTrue(perSecond >= PER_SECOND / 2, () -> "only " + perSecond + " a second");
      assertTrue(refused > 0, "none of them was too much");
      assertTrue(share >= LEAST_SHARE, () -> "peers kept " + share);
      assertTrue(grownBytes < MOST_GROWTH_BYTES, () -> grownBytes + " bytes more in use");
      assertEquals(1, nodes.clientEvents().count("HandshakeCompleted"));
      assertEquals(0, nodes.serverEvents().count("PathClosed"));
      try (Transport another = Transport.start(TwoNodes.settings(""))) {
        round(another.peer(nodes.server.address()));
      }
    }
  }

  private static InetSocketAddress closedPort() throws IOException {
    try (DatagramSocket unused = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      return new InetSocketAddress(InetAddress.getLoopbackAddress(), unused.getLocalPort());
    }
  }

  private static List<byte[]> inits() {
    Random random = new Random(7);
    List<byte[]> inits = new ArrayList<>();
    for (int i = 0; i < KINDS; i++) {
      inits.add(HostilePackets.forgedInit(random));
    }
    return inits;
  }

  /**
   * Returns the calls per second while the flood goes to each of two addresses. The addresses take
   * turns in short spells, so other work of the machine falls on both.
   */
  private static double[] alternate(
      Peer peer, DatagramFlood flood, InetSocketAddress one, InetSocketAddress other, int pairs)
      throws Exception {
    double[] first = new double[pairs];
    double[] second = new double[pairs];
    for (int i = 0; i < pairs; i++) {
      flood.turnTo(one);
      first[i] = rate(peer);
      flood.turnTo(other);
      second[i] = rate(peer);
    }
    return new double[] {median(first), median(second)};
  }

  private static double rate(Peer peer) throws Exception {
    long calls = 0;
    long startNs = System.nanoTime();
    while (System.nanoTime() - startNs < SPELL_NS) {
      round(peer);
      calls += WINDOW;
    }
    return calls * 1e9 / (System.nanoTime() - startNs);
  }

  private static void round(Peer peer) throws Exception {
    List<CompletableFuture<UnaryResponse>> calls = new ArrayList<>();
    for (int i = 0; i < WINDOW; i++) {
      calls.add(Raw.unary(peer, ECHO, payload(i)));
    }
    for (int i = 0; i < WINDOW; i++) {
      assertArrayEquals(payload(i), calls.get(i).get(60, TimeUnit.SECONDS).payload());
    }
  }

  private static byte[] payload(int call) {
    return ByteBuffer.allocate(100).putInt(call).array();
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static long usedBytes() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
