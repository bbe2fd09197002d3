package io.millrace.efa;

import static io.millrace.driver.CompletionHandler.STATUS_OK;
import static io.millrace.driver.CompletionHandler.STATUS_REMOTE_ACCESS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverException;
import io.millrace.driver.MemoryRegion;
import io.millrace.driver.RemoteMemory;
import io.millrace.driver.RemoteWrite;
import io.millrace.testkit.driver.NeedsDriver;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One-sided writes through the SPI, on the provider with the most faithful errors. */
@NeedsDriver("fabric:sockets")
class RegionWriteTest {
  private static final int REGION_BYTES = 1 << 20;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment source = arena.allocate(REGION_BYTES, 64);
  private final MemorySegment target = arena.allocate(REGION_BYTES, 64);
  private Peer writer;
  private Peer owner;
  private int toOwner;
  private MemoryRegion local;
  private MemoryRegion remote;

  @BeforeEach
  void open() throws DriverException {
    writer = Peer.open("sockets");
    owner = Peer.open("sockets");
    toOwner = writer.resolve(owner);
    local = writer.endpoint.remoteMemory().register(source, false);
    remote = owner.endpoint.remoteMemory().register(target, true);
    for (int i = 0; i < REGION_BYTES; i++) {
      source.set(ValueLayout.JAVA_BYTE, i, (byte) (1 + i % 251));
    }
  }

  @AfterEach
  void close() {
    writer.close();
    owner.close();
    arena.close();
  }

  private int write(RemoteWrite write, long context) {
    assertTrue(writer.write(toOwner, write, context, owner), "the write was never taken");
    return writer.awaitWrite(context, owner);
  }

  private void assertLanded(long offset, long length) {
    assertEquals(-1, MemorySegment.mismatch(source, 0, length, target, offset, offset + length));
  }

  private void assertUntouched(long from, long to) {
    assertTrue(
        target.asSlice(from, to - from).elements(ValueLayout.JAVA_BYTE).allMatch(b -> read(b) == 0),
        () -> "something landed between " + from + " and " + to);
  }

  private static byte read(MemorySegment one) {
    return one.get(ValueLayout.JAVA_BYTE, 0);
  }

  @Test
  void shouldWriteIntoRegionOfPeerAndNowhereElse() {
    assertEquals(STATUS_OK, write(Peer.write(local, 4096, remote, 100), 7));
    assertLanded(100, 4096);
    assertUntouched(0, 100);
    assertUntouched(100 + 4096, REGION_BYTES);
    assertEquals(List.of(new Peer.Completion(7, STATUS_OK)), writer.writes);
    assertEquals(List.of(), owner.immediates, "a plain write is silent at its target");
    assertEquals(0, owner.endpoint.fabricCounters().strayCompletions);
  }

  @Test
  void shouldWriteFromTheMiddleOfRegion() {
    RemoteWrite middle =
        new RemoteWrite()
            .source(local, 1_000, 500)
            .target(remote.remoteBase() + 2_000, remote.remoteKey());
    assertEquals(STATUS_OK, write(middle, 1));
    assertEquals(-1, MemorySegment.mismatch(source, 1_000, 1_500, target, 2_000, 2_500));
  }

  @Test
  void shouldFillWholeRegion() {
    assertEquals(STATUS_OK, write(Peer.write(local, REGION_BYTES, remote, 0), 1));
    assertLanded(0, REGION_BYTES);
  }

  @Test
  void shouldTellOwnerOfImmediateValueOnceBytesAreInPlace() {
    RemoteWrite write = Peer.write(local, 8_192, remote, 0).immediate(0xCAFE_BABE_1234_5678L);
    assertTrue(writer.write(toOwner, write, 3, owner));
    assertTrue(Peer.turnUntil(() -> !owner.immediates.isEmpty(), owner, writer));
    assertEquals(List.of(0xCAFE_BABE_1234_5678L), owner.immediates);
    assertLanded(0, 8_192);
    assertEquals(STATUS_OK, writer.awaitWrite(3, owner));
    assertEquals(1, owner.endpoint.fabricCounters().remoteWrites);
  }

  @Test
  void shouldCarryImmediateValueWithoutBytes() {
    RemoteWrite write = Peer.write(local, 0, remote, 0).immediate(42);
    assertTrue(writer.write(toOwner, write, 3, owner));
    assertTrue(Peer.turnUntil(() -> !owner.immediates.isEmpty(), owner, writer));
    assertEquals(List.of(42L), owner.immediates);
    assertUntouched(0, REGION_BYTES);
  }

  @Test
  void shouldRefuseStaleKeyAndKeepTheConnection() throws DriverException {
    RemoteMemory memory = owner.endpoint.remoteMemory();
    memory.deregister(remote);
    MemoryRegion renewed = memory.register(target, true);
    assertEquals(STATUS_OK, write(Peer.write(local, 64, renewed, 0), 1));
    assertEquals(STATUS_REMOTE_ACCESS, write(Peer.write(local, 64, remote, 4_096), 2));
    assertEquals(STATUS_OK, write(Peer.write(local, 64, renewed, 8_192), 3));
    assertLanded(0, 64);
    assertUntouched(4_096, 8_192);
    assertLanded(8_192, 64);
    assertEquals(List.of(), writer.unreachable);
  }

  @Test
  void shouldFailOnlyTheStaleOneOfManyInFlight() throws DriverException {
    RemoteMemory memory = owner.endpoint.remoteMemory();
    memory.deregister(remote);
    MemoryRegion renewed = memory.register(target, true);
    for (long i = 0; i < 30; i++) {
      MemoryRegion addressed = i % 3 == 1 ? remote : renewed;
      assertTrue(writer.write(toOwner, Peer.write(local, 100, addressed, i * 1_000), i, owner));
    }
    for (long i = 0; i < 30; i++) {
      int expected = i % 3 == 1 ? STATUS_REMOTE_ACCESS : STATUS_OK;
      assertEquals(expected, writer.awaitWrite(i, owner), "write " + i);
      if (i % 3 == 1) {
        assertUntouched(i * 1_000, i * 1_000 + 1_000);
      } else {
        assertLanded(i * 1_000, 100);
      }
    }
    assertEquals(30, writer.writes.size());
    assertEquals(0, writer.endpoint.operationsInFlight());
  }

  @Test
  void shouldRefuseWriteAcrossEndOfRegion() {
    assertEquals(STATUS_REMOTE_ACCESS, write(Peer.write(local, 128, remote, REGION_BYTES - 64), 1));
    assertUntouched(REGION_BYTES - 64, REGION_BYTES);
    assertEquals(STATUS_OK, write(Peer.write(local, 64, remote, REGION_BYTES - 64), 2));
    assertLanded(REGION_BYTES - 64, 64);
  }

  @Test
  void shouldRefuseWriteBeforeStartOfRegion() throws DriverException {
    MemoryRegion inner = owner.endpoint.remoteMemory().register(target.asSlice(4_096, 4_096), true);
    assertEquals(STATUS_REMOTE_ACCESS, write(Peer.write(local, 64, inner, -64), 1));
    assertUntouched(0, REGION_BYTES);
  }

  @Test
  void shouldRefuseRegionThatIsNotOpenToPeers() throws DriverException {
    MemoryRegion closed = owner.endpoint.remoteMemory().register(target, false);
    assertEquals(STATUS_REMOTE_ACCESS, write(Peer.write(local, 64, closed, 0), 1));
    assertUntouched(0, REGION_BYTES);
  }

  @Test
  void shouldRefuseKeyThatNeverWas() {
    RemoteWrite guess =
        new RemoteWrite().source(local, 0, 64).target(remote.remoteBase(), remote.remoteKey() + 1);
    assertEquals(STATUS_REMOTE_ACCESS, write(guess, 1));
    assertUntouched(0, REGION_BYTES);
  }

  @Test
  void shouldNeverGiveTheSameKeyTwice() throws DriverException {
    RemoteMemory memory = owner.endpoint.remoteMemory();
    long[] keys = new long[1_000];
    for (int i = 0; i < keys.length; i++) {
      MemoryRegion region = memory.register(target, true);
      keys[i] = region.remoteKey();
      memory.deregister(region);
    }
    assertEquals(keys.length, Arrays.stream(keys).distinct().count());
  }

  @Test
  void shouldRefuseSourceThatWasDeregistered() throws DriverException {
    RemoteMemory memory = writer.endpoint.remoteMemory();
    memory.deregister(local);
    MemoryRegion renewed = memory.register(source, false);
    RemoteWrite stale = Peer.write(local, 64, remote, 0);
    assertThrows(IllegalArgumentException.class, () -> memory.postWrite(toOwner, stale, 1));
    assertEquals(STATUS_OK, write(Peer.write(renewed, 64, remote, 0), 2));
  }

  @Test
  void shouldRefuseSourceWhoseMemoryWasFreed() throws DriverException {
    RemoteMemory memory = writer.endpoint.remoteMemory();
    MemoryRegion freed;
    try (Arena brief = Arena.ofShared()) {
      freed = memory.register(brief.allocate(64), false);
    }
    RemoteWrite write = Peer.write(freed, 64, remote, 0);
    assertThrows(IllegalArgumentException.class, () -> memory.postWrite(toOwner, write, 1));
    memory.deregister(freed);
  }

  @Test
  void shouldRefuseToReadBeyondTheSource() {
    RemoteMemory memory = writer.endpoint.remoteMemory();
    RemoteWrite beyond =
        new RemoteWrite()
            .source(local, REGION_BYTES - 10, 11)
            .target(remote.remoteBase(), remote.remoteKey());
    assertThrows(IndexOutOfBoundsException.class, () -> memory.postWrite(toOwner, beyond, 1));
    RemoteWrite before =
        new RemoteWrite().source(local, -1, 11).target(remote.remoteBase(), remote.remoteKey());
    assertThrows(IndexOutOfBoundsException.class, () -> memory.postWrite(toOwner, before, 1));
  }

  @Test
  void shouldRefuseToDeregisterTwice() throws DriverException {
    owner.endpoint.remoteMemory().deregister(remote);
    assertThrows(DriverException.class, () -> owner.endpoint.remoteMemory().deregister(remote));
  }

  @Test
  void shouldRefuseToRegisterHeapMemory() {
    MemorySegment heap = MemorySegment.ofArray(new byte[64]);
    assertThrows(DriverException.class, () -> owner.endpoint.remoteMemory().register(heap, true));
  }

  @Test
  void shouldBoundWritesInFlightByItsOwnWindow() {
    int taken = 0;
    while (taken < 100_000
        && writer
            .endpoint
            .remoteMemory()
            .postWrite(toOwner, Peer.write(local, 64, remote, 0), taken)) {
      taken++;
    }
    assertTrue(taken > 0 && taken <= 256, "taken without a poll: " + taken);
    int posted = taken;
    assertTrue(Peer.turnUntil(() -> writer.writes.size() == posted, writer, owner));
    assertTrue(writer.writes.stream().allMatch(write -> write.status() == STATUS_OK));
  }

  @Test
  void shouldLeaveRoomForMessagesWhenWritesFillTheWindow() {
    long context = 0;
    while (writer
        .endpoint
        .remoteMemory()
        .postWrite(toOwner, Peer.write(local, 64, remote, 0), context)) {
      context++;
    }
    long before = writer.endpoint.counters().datagramsSent;
    writer.send(toOwner, 1, 100, 100, 9);
    assertEquals(before + 1, writer.endpoint.counters().datagramsSent);
    assertTrue(Peer.turnUntil(() -> owner.datagrams.size() == 1, writer, owner));
  }
}
