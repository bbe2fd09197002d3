package io.millrace.efa;

import static io.millrace.driver.CompletionHandler.STATUS_NOT_READY;
import static io.millrace.driver.CompletionHandler.STATUS_OK;
import static io.millrace.driver.CompletionHandler.STATUS_UNREACHABLE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointSettings;
import io.millrace.driver.MemoryRegion;
import io.millrace.driver.NotReadySettings;
import io.millrace.efa.FaultyFabric.Fault;
import io.millrace.testkit.driver.NeedsDriver;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/**
 * Full queues and receivers that are not ready, injected below the binding: one sender and two
 * receivers over the provider sockets.
 */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
@NeedsDriver("fabric:sockets")
@Timeout(60)
class FabricFaultTest {
  private static final int DATAGRAM = 100;
  private static final int PACKETS = 40;

  private final FaultyFabric fabric = FaultyFabric.load();
  private Peer sender;
  private Peer faulty;
  private Peer healthy;
  private long number;
  private int toFaulty;
  private int toHealthy;

  @BeforeEach
  void open() throws DriverException {
    open(Peer.settings());
  }

  private void open(EndpointSettings settings) throws DriverException {
    faulty = fabric.open("sockets");
    healthy = fabric.open("sockets");
    sender = fabric.open("sockets", settings);
    number = fabric.newestEndpoint();
    toFaulty = sender.resolve(faulty);
    toHealthy = sender.resolve(healthy);
  }

  @AfterEach
  void close() {
    sender.close();
    faulty.close();
    healthy.close();
    fabric.close();
  }

  private void reopen(EndpointSettings settings) throws DriverException {
    close();
    open(settings);
  }

  private void turnUntil(BooleanSupplier done) {
    assertTrue(Peer.turnUntil(done, sender, faulty, healthy), "nothing happened for too long");
  }

  /** Sends a train whose datagrams count up from {@code first}. */
  private void send(int destination, int first, long context) {
    sender.send(destination, first, PACKETS * DATAGRAM, DATAGRAM, context);
  }

  private int statusOf(long context) {
    return sender.sends.stream()
        .filter(each -> each.context() == context)
        .mapToInt(Peer.Completion::status)
        .findFirst()
        .orElse(-1);
  }

  /** The first byte of each datagram: 100 apart, modulo 256. */
  private static void assertInOrder(Peer peer, int trains) {
    assertEquals(trains * PACKETS, peer.datagrams.size());
    for (int i = 0; i < peer.datagrams.size(); i++) {
      byte expected = (byte) (i % PACKETS * DATAGRAM);
      assertEquals(expected, peer.datagrams.get(i)[0], "datagram " + i);
    }
  }

  @Test
  void shouldKeepOrderThroughTryAgainInTheMiddleOfATrain() {
    fabric.arm(Fault.TRY_AGAIN, number, 0, 17, 500);
    send(toFaulty, 0, 1);
    send(toFaulty, 0, 2);
    send(toHealthy, 0, 3);
    turnUntil(() -> healthy.datagrams.size() == PACKETS && sender.sends.size() == 3);
    turnUntil(() -> faulty.datagrams.size() == 2 * PACKETS);
    assertEquals(500, fabric.done(Fault.TRY_AGAIN));
    assertEquals(500, sender.endpoint.fabricCounters().tryAgains);
    assertInOrder(faulty, 2);
    assertInOrder(healthy, 1);
    assertEquals(0, sender.endpoint.counters().sendFailures);
  }

  @Test
  void shouldBackOffFromOnePeerAndBringEverythingThere() {
    int notReady = 8;
    fabric.arm(Fault.NOT_READY, number, 0, 0, notReady);
    sender.send(toFaulty, 0, DATAGRAM, DATAGRAM, 1);
    for (int i = 0; i < 20; i++) {
      send(toHealthy, 0, 10 + i);
      int expected = (i + 1) * PACKETS;
      turnUntil(() -> healthy.datagrams.size() == expected);
    }
    turnUntil(() -> statusOf(1) == STATUS_OK && faulty.datagrams.size() == 1);
    assertEquals(notReady, fabric.done(Fault.NOT_READY));
    assertEquals(notReady + 1, fabric.posts(number, 0), "each repeat is one attempt");
    assertEquals(20 * PACKETS, fabric.posts(number, 1), "no repeat to the other peer");
    FabricCounters counters = sender.endpoint.fabricCounters();
    assertEquals(notReady, counters.notReady);
    assertEquals(notReady, counters.repeats);
    assertEquals(0, counters.notReadyGivenUp);
    assertEquals(0, sender.endpoint.counters().sendFailures);
  }

  @Test
  void shouldRepeatWritesOfOnePeerAndKeepTheBytes() throws DriverException {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment source = arena.allocate(10_000).fill((byte) 5);
      MemorySegment target = arena.allocate(10_000);
      MemoryRegion local = sender.endpoint.remoteMemory().register(source, false);
      MemoryRegion remote = faulty.endpoint.remoteMemory().register(target, true);
      fabric.arm(Fault.NOT_READY, number, 0, 0, 6);
      assertTrue(sender.write(toFaulty, Peer.write(local, 10_000, remote, 0), 5, faulty));
      assertEquals(STATUS_OK, sender.awaitWrite(5, faulty, healthy));
      assertEquals(-1, source.mismatch(target));
      assertEquals(6, sender.endpoint.fabricCounters().repeats);
      assertEquals(1, sender.endpoint.fabricCounters().writesPosted);
      assertEquals(0, sender.endpoint.operationsInFlight());
      sender.endpoint.remoteMemory().deregister(local);
      faulty.endpoint.remoteMemory().deregister(remote);
    }
  }

  @Test
  void shouldAskTheDeviceToRetryFirst() throws DriverException {
    assertEquals(NotReadySettings.DEFAULTS.deviceRetries(), fabric.deviceRetries());
  }

  /** The peer that never gets ready costs 2 s. */
  @Test
  @Tag("soak")
  void shouldGiveUpThePeerThatIsNeverReadyOrNeverTakesPosts() {
    fabric.arm(Fault.NOT_READY, number, 0, 2, FaultyFabric.FOR_EVER);
    send(toFaulty, 0, 1);
    send(toHealthy, 0, 2);
    turnUntil(() -> statusOf(1) >= 0 && statusOf(2) >= 0);
    assertEquals(STATUS_NOT_READY, statusOf(1));
    assertEquals(STATUS_OK, statusOf(2));
    assertEquals(PACKETS - 2, sender.endpoint.counters().sendFailures, "two datagrams arrived");
    assertEquals(List.of(), sender.unreachable);
    fabric.reset();
    fabric.arm(Fault.TRY_AGAIN, number, 0, 2, FaultyFabric.FOR_EVER);
    send(toFaulty, 0, 3);
    turnUntil(() -> statusOf(3) >= 0);
    assertTrue(
        statusOf(3) == STATUS_UNREACHABLE || statusOf(3) == STATUS_NOT_READY, "" + statusOf(3));
  }

  /** A target that never polls, behind a queue of 8 operations. */
  @Test
  @Tag("soak")
  void shouldEndTypedAgainstATargetThatNeverPolls() throws DriverException {
    EndpointSettings given = Peer.settings();
    reopen(
        new EndpointSettings(
            given.bindAddress(),
            given.receiveBufferBytes(),
            100_000,
            8_972,
            8,
            64,
            true,
            0,
            1,
            given.notReady()));
    fabric.arm(Fault.TRY_AGAIN, number, 0, 8, FaultyFabric.FOR_EVER);
    fabric.arm(Fault.SILENT, number, 0, 0, 8);
    List<Long> contexts = new ArrayList<>();
    for (long context = 1; context <= 6; context++) {
      sender.send(toFaulty, 0, 8 * DATAGRAM, DATAGRAM, context);
      contexts.add(context);
    }
    // the trains behind the silent one end typed, and the other peer has its buffers
    assertTrue(
        Peer.turnUntil(() -> statusOf(6) >= 0, sender, healthy), "the last train never ended");
    for (long context : contexts.subList(1, contexts.size())) {
      assertEquals(STATUS_UNREACHABLE, statusOf(context), "train " + context);
    }
    sender.send(toHealthy, 0, 8 * DATAGRAM, DATAGRAM, 9);
    assertTrue(Peer.turnUntil(() -> statusOf(9) == STATUS_OK, sender, healthy));
  }
}
