package io.millrace.efa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverException;
import io.millrace.driver.MemoryRegion;
import io.millrace.driver.RemoteWrite;
import io.millrace.memory.SegmentBuffer;
import io.millrace.testkit.driver.NeedsDriver;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** Writes, their completions and their immediate values cost no garbage. */
@NeedsDriver("fabric:sockets")
class WriteAllocationTest {
  private static final int WRITES = 20_000;
  private static final int MAX_ROUNDS = 10;

  /** The bytes that the JVM may allocate for itself meanwhile. */
  private static final long STRAY_BYTES = 64 << 10;

  /** A handler that counts completions, and keeps no objects. */
  private static final class Tally implements CompletionHandler {
    int written;
    int failed;
    int noticed;

    @Override
    public void onReceive(SegmentBuffer buffer, int offset, int length, int ecn) {}

    @Override
    public void onWriteComplete(long context, int status) {
      written++;
      failed += status == STATUS_OK ? 0 : 1;
    }

    @Override
    public void onRemoteWrite(long immediate) {
      noticed++;
    }
  }

  @Test
  void shouldNotAllocateWhileWriting() throws DriverException {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (Arena arena = Arena.ofShared();
        Peer writer = Peer.open("sockets");
        Peer owner = Peer.open("sockets")) {
      int destination = writer.resolve(owner);
      MemoryRegion local = writer.endpoint.remoteMemory().register(arena.allocate(64), false);
      MemoryRegion remote = owner.endpoint.remoteMemory().register(arena.allocate(64), true);
      RemoteWrite write = Peer.write(local, 64, remote, 0).immediate(1);
      long allocated = Long.MAX_VALUE;
      // the first rounds warm up the compiler
      for (int round = 0; round < MAX_ROUNDS && allocated >= STRAY_BYTES; round++) {
        long before = threads.getCurrentThreadAllocatedBytes();
        run(writer, owner, destination, write);
        allocated = threads.getCurrentThreadAllocatedBytes() - before;
      }
      assertTrue(allocated < STRAY_BYTES, allocated + " bytes for " + WRITES + " writes");
    }
  }

  private static void run(Peer writer, Peer owner, int destination, RemoteWrite write) {
    Tally tally = new Tally();
    int posted = 0;
    long startNs = System.nanoTime();
    while (tally.written < WRITES || tally.noticed < WRITES) {
      if (posted < WRITES && writer.endpoint.remoteMemory().postWrite(destination, write, posted)) {
        posted++;
      }
      writer.endpoint.poll(tally, 64);
      owner.endpoint.poll(tally, 64);
      assertTrue(System.nanoTime() - startNs < 60_000_000_000L, "writes got lost");
    }
    assertEquals(0, tally.failed);
  }
}
