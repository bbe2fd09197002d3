package io.millrace.efa;

import static io.millrace.driver.CompletionHandler.STATUS_OK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverException;
import io.millrace.driver.MemoryRegion;
import io.millrace.driver.RemoteWrite;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;

/**
 * A receive region that its owner takes from one writer and gives to the next: the key of each
 * grant ends with the grant. The next writer is here; the former writer, who does not know of the
 * revocation, is the test's.
 */
final class RegionHandover implements AutoCloseable {
  static final int REGION_BYTES = 128 << 10;
  private static final long CONTEXT = 1;

  final Peer owner;
  final Peer next;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory = arena.allocate(REGION_BYTES, 4_096);
  private final MemorySegment bytes = arena.allocate(REGION_BYTES, 4_096);
  private final MemorySegment zeros = arena.allocate(REGION_BYTES, 4_096);
  private final byte[] drawn = new byte[REGION_BYTES];
  private final Random random;
  private final int toOwner;
  private final MemoryRegion source;

  RegionHandover(String provider, Random random) throws DriverException {
    this.random = random;
    owner = Peer.open(provider);
    next = Peer.open(provider);
    toOwner = next.resolve(owner);
    source = next.endpoint.remoteMemory().register(bytes, false);
  }

  /** Registers the region under a new key; all bytes are 0. */
  MemoryRegion grant() throws DriverException {
    memory.fill((byte) 0);
    return owner.endpoint.remoteMemory().register(memory, true);
  }

  /** Whether a writer has changed a byte since the grant. */
  boolean isTouched() {
    return memory.mismatch(zeros) >= 0;
  }

  void revoke(MemoryRegion granted) throws DriverException {
    owner.endpoint.remoteMemory().deregister(granted);
  }

  /**
   * Registers the memory anew, and has it filled by the next writer, with {@code others} active.
   */
  MemoryRegion handOver(Peer... others) throws DriverException {
    MemoryRegion renewed = owner.endpoint.remoteMemory().register(memory, true);
    random.nextBytes(drawn);
    MemorySegment.copy(MemorySegment.ofArray(drawn), 0, bytes, 0, REGION_BYTES);
    RemoteWrite write = Peer.write(source, REGION_BYTES, renewed, 0);
    Peer[] active = new Peer[others.length + 1];
    active[0] = owner;
    System.arraycopy(others, 0, active, 1, others.length);
    assertTrue(next.write(toOwner, write, CONTEXT, active), "no write was taken");
    assertEquals(STATUS_OK, next.awaitWrite(CONTEXT, active), "the next writer's write");
    next.writes.clear();
    return renewed;
  }

  void assertIntact() {
    assertEquals(-1, memory.mismatch(bytes), "a late write landed in the next writer's bytes");
  }

  @Override
  public void close() {
    next.close();
    owner.close();
    arena.close();
  }
}
