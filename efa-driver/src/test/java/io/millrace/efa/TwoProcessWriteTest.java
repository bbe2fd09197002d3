package io.millrace.efa;

import static io.millrace.driver.CompletionHandler.STATUS_FAILED;
import static io.millrace.driver.CompletionHandler.STATUS_OK;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverException;
import io.millrace.driver.MemoryRegion;
import io.millrace.driver.RemoteWrite;
import io.millrace.testkit.driver.NeedsDriver;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A write into the memory of another process. */
@Timeout(120)
class TwoProcessWriteTest {
  private static final int SLEEPY_POLLS = 10_000;
  private static final long SLEEP_NS = 1_000_000;

  private long nowNs;

  @TempDir File directory;

  @Test
  @NeedsDriver("fabric:sockets")
  void shouldWriteIntoAnotherProcessOverSockets() throws Exception {
    assertWritesAcross("sockets");
  }

  @Test
  @NeedsDriver("fabric:tcp")
  void shouldWriteIntoAnotherProcessOverTcp() throws Exception {
    assertWritesAcross("tcp");
  }

  @Test
  @NeedsDriver("fabric:shm")
  void shouldWriteIntoAnotherProcessOverSharedMemory() throws Exception {
    assertWritesAcross("shm");
  }

  private void assertWritesAcross(String provider) throws Exception {
    try (Arena arena = Arena.ofShared();
        Peer writer = Peer.open(provider);
        ChildJvm child = startOwner(provider, writer)) {
      int toOwner = resolve(writer, child);
      RemoteWrite write = prepare(arena, writer, child).immediate(RegionOwnerMain.IMMEDIATE);
      assertTrue(writer.write(toOwner, write, 1), "the write was never taken");
      assertEquals(STATUS_OK, writer.awaitWrite(1));
      assertTrue(Peer.turnUntil(() -> writer.datagrams.size() == 1, writer), "no answer");
      assertArrayEquals(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, writer.datagrams.getFirst());
      assertEquals("verified", child.readLine());
      writer.send(toOwner, 1, 1, 1, 2);
      assertTrue(Peer.turnUntil(() -> writer.sends.size() == 1, writer));
      assertTrue(Peer.turnUntil(() -> !child.isAlive(), writer), "the owner never ended");
      assertEquals(0, child.exitCode());
    }
  }

  @Test
  @NeedsDriver("fabric:sockets")
  void shouldFailWritesToProcessThatDied() throws Exception {
    try (Arena arena = Arena.ofShared();
        Peer writer = Peer.open("sockets");
        ChildJvm child = startOwner("sockets", writer)) {
      writeBeforeAndAfterDeath(arena, writer, child);
      assertNotEquals(STATUS_OK, writer.awaitWrite(2));
      assertEquals(0, writer.endpoint.operationsInFlight());
    }
  }

  @Test
  @NeedsDriver("fabric:shm")
  void shouldFailAnEndpointWhoseWriteWaitsForAProcessThatDied() throws Exception {
    try (Arena arena = Arena.ofShared();
        Peer writer = Peer.open("shm", () -> nowNs);
        ChildJvm child = startOwner("shm", writer)) {
      writeBeforeAndAfterDeath(arena, writer, child);
      assertTrue(writer.endpoint.isUp());
      // As a worker polls in its sleep: the time of the looks is no number of polls.
      for (int i = 0; i < SLEEPY_POLLS && writer.endpoint.isUp(); i++) {
        nowNs += SLEEP_NS;
        writer.endpoint.poll(writer, 64);
      }
      assertFalse(writer.endpoint.isUp(), "the endpoint is blocked");
      assertTrue(String.valueOf(writer.endpoint.fault()).contains("process that is gone"));
      assertEquals(STATUS_FAILED, writer.awaitWrite(2));
      assertEquals(0, writer.endpoint.operationsInFlight());
    }
  }

  /** Awaits a write to the owner, kills the owner, and posts a second write. */
  private static void writeBeforeAndAfterDeath(Arena arena, Peer writer, ChildJvm child)
      throws Exception {
    int toOwner = resolve(writer, child);
    RemoteWrite write = prepare(arena, writer, child);
    assertTrue(writer.write(toOwner, write, 1), "the write was never taken");
    assertEquals(STATUS_OK, writer.awaitWrite(1));
    child.kill();
    child.exitCode();
    assertTrue(writer.write(toOwner, write, 2), "the write was never taken");
  }

  private ChildJvm startOwner(String provider, Peer writer) throws IOException {
    String address = HexFormat.of().formatHex(writer.endpoint.localAddress().bytes());
    return ChildJvm.start(RegionOwnerMain.class, directory, List.of(), provider, address);
  }

  private static int resolve(Peer writer, ChildJvm child) throws DriverException {
    return writer.resolve(HexFormat.of().parseHex(line(child)));
  }

  private static RemoteWrite prepare(Arena arena, Peer writer, ChildJvm child)
      throws DriverException {
    long key = Long.parseLong(line(child));
    long base = Long.parseLong(line(child));
    MemorySegment source = arena.allocate(RegionOwnerMain.REGION_BYTES, 64);
    for (int i = 0; i < RegionOwnerMain.REGION_BYTES; i++) {
      source.set(ValueLayout.JAVA_BYTE, i, RegionOwnerMain.pattern(i));
    }
    MemoryRegion local = writer.endpoint.remoteMemory().register(source, false);
    return new RemoteWrite().source(local, 0, RegionOwnerMain.REGION_BYTES).target(base, key);
  }

  private static String line(ChildJvm child) {
    return Objects.requireNonNull(child.readLine(), "the other process ended early");
  }
}
