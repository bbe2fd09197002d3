package io.millrace.efa;

import io.millrace.driver.DriverException;
import io.millrace.driver.MemoryRegion;
import io.millrace.driver.RemoteWrite;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Opens pairs of endpoints, lets them exchange messages and writes, and closes them.
 *
 * <p>Arguments: the provider, the number of cycles, and the number of pairs that run in parallel,
 * each with a thread of its own; then all endpoints of a cycle know each other. Prints what the
 * process holds after {@link #WARM_UP} cycles and at the end: descriptors, mappings, threads,
 * names.
 */
final class CyclesMain {
  static final int WARM_UP = 20;
  private static final int REGION_BYTES = 1 << 20;
  private static final int MESSAGES = 20;
  private static final int LENGTH = 4_000;

  private CyclesMain() {}

  public static void main(String[] args) throws Exception {
    String provider = args[0];
    int cycles = Integer.parseInt(args[1]);
    int pairs = Integer.parseInt(args[2]);
    for (int i = 0; i < cycles; i++) {
      if (i == WARM_UP) {
        System.out.println(holdings());
      }
      if (pairs == 1) {
        cycle(provider);
      } else {
        parallel(provider, pairs);
      }
    }
    System.out.println(holdings());
  }

  /** The parts of the system that a process holds. */
  record Holdings(long descriptors, long mappings, long threads, long names) {
    static Holdings parse(String line) {
      String[] parts = line.split(" ", -1);
      return new Holdings(
          Long.parseLong(parts[0]),
          Long.parseLong(parts[1]),
          Long.parseLong(parts[2]),
          Long.parseLong(parts[3]));
    }

    @Override
    public String toString() {
      return descriptors + " " + mappings + " " + threads + " " + names;
    }
  }

  private static Holdings holdings() throws IOException {
    String pid = String.valueOf(ProcessHandle.current().pid());
    return new Holdings(
        count(Path.of("/proc/self/fd"), ""),
        Files.readAllLines(Path.of("/proc/self/maps")).size(),
        count(Path.of("/proc/self/task"), ""),
        count(SharedMemoryNames.DIRECTORY, pid + ":")
            + count(SharedMemoryNames.DIRECTORY, SharedMemoryFiles.RECORD + pid + "-"));
  }

  private static long count(Path directory, String prefix) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(each -> each.getFileName().toString().startsWith(prefix)).count();
    }
  }

  private static void cycle(String provider) throws DriverException {
    try (Arena arena = Arena.ofShared();
        Peer left = Peer.open(provider);
        Peer right = Peer.open(provider)) {
      exchange(left, right, arena);
    }
  }

  private static void exchange(Peer left, Peer right, Arena arena) throws DriverException {
    int toRight = left.resolve(right);
    int toLeft = right.resolve(left);
    MemoryRegion source =
        left.endpoint.remoteMemory().register(arena.allocate(REGION_BYTES), false);
    MemoryRegion target =
        right.endpoint.remoteMemory().register(arena.allocate(REGION_BYTES), true);
    for (int i = 1; i <= MESSAGES; i++) {
      int expected = i;
      left.send(toRight, 1, 1_000, 1_000, i);
      right.send(toLeft, 1, 1_000, 1_000, i);
      await(
          () -> right.datagrams.size() == expected && left.datagrams.size() == expected,
          left,
          right);
    }
    RemoteWrite write = Peer.write(source, REGION_BYTES, target, 0);
    require(left.write(toRight, write, 1, right), "the write was never taken");
    require(left.awaitWrite(1, right) == 0, "the write failed");
    // left under way
    left.send(toRight, 1, 1_000, 1_000, 99);
    right.send(toLeft, 1, 1_000, 1_000, 99);
  }

  /** Each thread owns a pair, sends to the endpoints of all others, and closes under this load. */
  private static void parallel(String provider, int pairs) throws Exception {
    List<Peer> peers = new ArrayList<>();
    for (int i = 0; i < 2 * pairs; i++) {
      peers.add(Peer.open(provider));
    }
    List<Throwable> failures = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < pairs; i++) {
      Peer left = peers.get(2 * i);
      Peer right = peers.get(2 * i + 1);
      threads.add(
          Thread.ofPlatform()
              .uncaughtExceptionHandler((_, e) -> add(failures, e))
              .start(() -> loadAndClose(left, right, peers)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    require(failures.isEmpty(), failures.toString());
  }

  private static void add(List<Throwable> failures, Throwable e) {
    synchronized (failures) {
      failures.add(e);
    }
  }

  private static void loadAndClose(Peer left, Peer right, List<Peer> peers) {
    try (Arena arena = Arena.ofShared()) {
      try (left;
          right) {
        peers.stream()
            .filter(other -> other != left && other != right)
            .forEach(other -> sendUnlessClosed(left, other));
        exchangeUnderLoad(left, right, arena);
      }
    }
  }

  private static void sendUnlessClosed(Peer from, Peer to) {
    try {
      int destination = from.resolve(to);
      from.send(destination, 1, LENGTH, LENGTH, 7);
      polls(from);
      from.endpoint.release(destination);
    } catch (DriverException e) {
      // the other thread was faster
      from.endpoint.poll(from, 64);
    }
  }

  private static void polls(Peer peer) {
    for (int i = 0; i < 100; i++) {
      peer.endpoint.poll(peer, 64);
    }
  }

  private static void exchangeUnderLoad(Peer left, Peer right, Arena arena) {
    try {
      int toRight = left.resolve(right);
      MemoryRegion source =
          left.endpoint.remoteMemory().register(arena.allocate(REGION_BYTES), false);
      MemoryRegion target =
          right.endpoint.remoteMemory().register(arena.allocate(REGION_BYTES), true);
      RemoteWrite write = Peer.write(source, REGION_BYTES, target, 0);
      require(left.write(toRight, write, 1, right), "the write was never taken");
      require(left.awaitWrite(1, right) == 0, "the write failed");
    } catch (DriverException e) {
      throw new AssertionError(e);
    }
  }

  private static void await(BooleanSupplier done, Peer... peers) {
    require(Peer.turnUntil(done, peers), "messages did not arrive");
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new AssertionError(message);
    }
  }
}
