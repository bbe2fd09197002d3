package io.millrace.efa;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.millrace.driver.DriverException;
import io.millrace.driver.MappedMemory;
import io.millrace.driver.MemoryRegion;
import io.millrace.driver.RemoteMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Locks and registers memory in a process with a low limit of locked memory, and says what became
 * of both.
 */
final class LockedMemoryMain {
  /** Bytes of each registration. */
  static final int REGION_BYTES = 256 << 10;

  private static final int MOST_REGIONS = 64;
  private static final long PAGE_BYTES = 4_096;

  private LockedMemoryMain() {}

  /** The argument is the limit of the process, bytes. */
  public static void main(String[] args) throws Throwable {
    int limitBytes = Integer.parseInt(args[0]);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment more = MappedMemory.map(arena, 2L * limitBytes, PAGE_BYTES);
      System.out.println("mlock " + (mlock(more, more.byteSize()) == 0 ? "succeeds" : "fails"));
      register(arena);
    }
  }

  @SuppressWarnings("restricted") // the system's own function
  private static int mlock(MemorySegment memory, long bytes) throws Throwable {
    Linker linker = Linker.nativeLinker();
    return (int)
        linker
            .downcallHandle(
                linker.defaultLookup().findOrThrow("mlock"),
                FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG))
            .invokeExact(memory, bytes);
  }

  private static void register(Arena arena) throws DriverException {
    try (FaultyFabric fabric = FaultyFabric.load();
        Peer peer = fabric.open("sockets")) {
      fabric.lockMemory();
      RemoteMemory remote = Objects.requireNonNull(peer.endpoint.remoteMemory());
      List<MemoryRegion> regions = new ArrayList<>();
      try {
        while (regions.size() < MOST_REGIONS) {
          MemorySegment memory = MappedMemory.map(arena, REGION_BYTES, PAGE_BYTES);
          regions.add(remote.register(memory, true));
        }
      } catch (DriverException e) {
        System.out.println("registered " + regions.size());
        System.out.println(e.kind() + " " + e.getMessage());
      }
      MemoryRegion first = regions.getFirst();
      remote.deregister(first);
      remote.register(first.memory(), true);
      System.out.println("registered again");
    }
  }
}
