package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import io.millrace.config.Addresses;
import io.millrace.driver.DriverAvailability;
import io.millrace.event.DropReason;
import io.millrace.udp.linux.LinuxUdpProvider;
import io.millrace.wire.RouteId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A stranger who sees the wire sends garbage as fast as this machine allows, and calls go on. */
@Timeout(120)
class HeldFloodTest {
  private static final RouteId ECHO = RouteId.of("echo");
  private static final int PER_SECOND_AND_PORT = 100_000;
  private static final int PER_SECOND = 2 * PER_SECOND_AND_PORT;
  private static final int DATAGRAMS = 3 * PER_SECOND;
  private static final int WINDOW = 64;
  private static final long MOST_GROWTH_BYTES = 16L << 20;

  private final DropEvents events = new DropEvents();

  @ParameterizedTest
  @ValueSource(strings = {"udp-nio", "udp"})
  void shouldServeEveryCallRightUnderHeldGarbage(String driver) throws Exception {
    skipUnlessUsable(driver);
    try (TwoNodes nodes =
        new TwoNodes(
            "millrace.nic.driver = " + driver, b -> b.events(events, DropEvents.OPTIONS), b -> b)) {
      Raw.serveOnWorker(
          nodes.server,
          ECHO,
          call -> call.reply(call.buffer(), call.payloadOffset(), call.payloadLength()));
      round(nodes.peer(), 0);
      FutureTask<GarbageFlood.Sent> flood = new FutureTask<>(flood(nodes));
      long usedBefore = usedBytes();
      Thread sender = new Thread(flood, "flood");
      sender.start();
      int calls = 1;
      while (!flood.isDone()) {
        round(nodes.peer(), calls);
        calls += WINDOW;
      }
      GarbageFlood.Sent sent = flood.get();
      long grownBytes = usedBytes() - usedBefore;
      round(nodes.peer(), calls);
      System.out.printf(
          "%s: %d datagrams of garbage at %d/s, %d calls meanwhile, %d KiB more in use%n",
          driver, DATAGRAMS, sent.perSecond(), calls, grownBytes >> 10);
      check(nodes, driver, sent);
      assertTrue(grownBytes < MOST_GROWTH_BYTES, () -> grownBytes + " bytes more in use");
      assertAdmitsAnother(nodes);
    }
  }

  private GarbageFlood flood(TwoNodes nodes) throws Exception {
    return new GarbageFlood(
        HostilePackets.workerAddress(nodes.server),
        Addresses.parse("server", nodes.server.address()),
        events.firstPathId(),
        PER_SECOND,
        DATAGRAMS);
  }

  private static void round(Peer peer, int from) throws Exception {
    List<CompletableFuture<UnaryResponse>> calls = new ArrayList<>();
    for (int i = from; i < from + WINDOW; i++) {
      calls.add(Raw.unary(peer, ECHO, payload(i)));
    }
    for (int i = 0; i < WINDOW; i++) {
      assertArrayEquals(payload(from + i), calls.get(i).get(60, TimeUnit.SECONDS).payload());
    }
  }

  private static byte[] payload(int call) {
    return ByteBuffer.allocate(4 + call % 300).putInt(call).array();
  }

  /**
   * Checks that the server counted every datagram that reached its worker, under the right reason.
   */
  private void check(TwoNodes nodes, String driver, GarbageFlood.Sent sent) {
    WorkerSnapshot server = nodes.server.snapshot().workers().getFirst();
    WorkerSnapshot client = nodes.client.snapshot().workers().getFirst();
    long bySystem = server.network().receiveQueueDrops();
    report(bySystem, client, sent);
    assertEquals(DATAGRAMS, sent.toWorker() + sent.toHandshake());
    assertTrue(
        nodes.awaitUntil(() -> events.total() >= server.packets().datagramsDropped()),
        () -> events.total() + " of " + server.packets());
    assertEquals(events.total(), server.packets().datagramsDropped());
    for (DropReason reason :
        List.of(
            DropReason.MALFORMED,
            DropReason.UNKNOWN_PATH,
            DropReason.DUPLICATE,
            DropReason.UNKNOWN_KEY,
            DropReason.NOT_AUTHENTIC)) {
      assertTrue(events.count(reason) > 0, () -> reason + " was never counted");
    }
    if (driver.equals("udp")) {
      assertTrue(events.total() + bySystem >= sent.toWorker(), "garbage went uncounted");
    }
    assertEquals(List.of(), events.troubles());
    assertEquals(0, client.transfers().callsFailed());
    assertEquals(1, nodes.clientEvents().count("HandshakeCompleted"));
  }

  private void report(long bySystem, WorkerSnapshot client, GarbageFlood.Sent sent) {
    StringBuilder reasons = new StringBuilder();
    for (DropReason reason : DropReason.values()) {
      reasons.append(reason).append(' ').append(events.count(reason)).append(", ");
    }
    System.out.println(
        reasons
            + "by the system "
            + bySystem
            + "; of "
            + sent.toWorker()
            + " to the worker; client's frames sent again "
            + client.transfers().framesRetransmitted());
  }

  private static void assertAdmitsAnother(TwoNodes nodes) throws Exception {
    try (Transport another = Transport.start(TwoNodes.settings(""))) {
      round(another.peer(nodes.server.address()), 0);
    }
  }

  private static long usedBytes() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private static void skipUnlessUsable(String driver) {
    if (driver.equals("udp")
        && new LinuxUdpProvider().probe() instanceof DriverAvailability.Unavailable unavailable) {
      System.err.println("SKIPPED HeldFloodTest: " + unavailable.reason());
      abort(unavailable.reason());
    }
  }
}
