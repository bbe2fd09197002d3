package io.millrace.efa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverException;
import io.millrace.driver.MemoryRegion;
import io.millrace.testkit.driver.NeedsDriver;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Late writes for long, and late writes of another process. */
@Timeout(300)
@Tag("soak")
class LateWriteSoakTest {
  private static final long SOAK_NS = 20_000_000_000L;
  private static final long PROCESSES_NS = 10_000_000_000L;

  /** Messages to a writer may get lost with the connection. */
  private static final int TURNS_A_MESSAGE = 5_000;

  private static final long SILENCE_NS = 50_000_000L;
  private static final int PROCESSES = 10;

  @TempDir File directory;

  private static Random random() {
    long seed = System.nanoTime();
    System.out.println("late writes with seed " + seed);
    return new Random(seed);
  }

  private static void passOn(String provider) throws DriverException {
    try (LateWrites writes = new LateWrites(provider, true, random())) {
      long startNs = System.nanoTime();
      long passes = 0;
      while (System.nanoTime() - startNs < SOAK_NS) {
        writes.pass();
        passes++;
      }
      LateWrites.Tally tally = writes.tally();
      System.out.println(provider + ": " + passes + " passes, " + tally);
      assertTrue(tally.refused + tally.failed > passes, tally.toString());
    }
  }

  @Test
  @NeedsDriver("fabric:sockets")
  void shouldKeepBytesOverSockets() throws DriverException {
    passOn("sockets");
  }

  @Test
  @NeedsDriver("fabric:tcp")
  void shouldKeepBytesOverTcp() throws DriverException {
    passOn("tcp");
  }

  @Test
  @NeedsDriver("fabric:shm")
  void shouldKeepBytesOverSharedMemory() throws DriverException {
    Random random = random();
    long late = 0;
    long startNs = System.nanoTime();
    while (System.nanoTime() - startNs < SOAK_NS) {
      try (LateWrites writes = new LateWrites("shm", false, random)) {
        writes.pass();
        late += writes.tally().late + writes.tally().overtaken;
      }
    }
    System.out.println("shm: " + late + " late writes");
    assertTrue(late > 0, late + " late writes");
  }

  @Test
  @NeedsDriver("fabric:sockets")
  void shouldKeepBytesFromAnotherProcessOverSockets() throws Exception {
    long late = passWithProcess("sockets", true, PROCESSES_NS);
    assertTrue(late > 100, late + " late writes");
  }

  @Test
  @NeedsDriver("fabric:tcp")
  void shouldKeepBytesFromAnotherProcessOverTcp() throws Exception {
    long late = passWithProcess("tcp", true, PROCESSES_NS);
    assertTrue(late > 100, late + " late writes");
  }

  @Test
  @NeedsDriver("fabric:shm")
  void shouldKeepBytesFromAnotherProcessOverSharedMemory() throws Exception {
    long late = 0;
    for (int i = 0; i < PROCESSES; i++) {
      late += passWithProcess("shm", false, 0);
    }
    assertTrue(late > 0, late + " late writes");
  }

  /** Passes regions on for this time, at least once; returns the writes that were late. */
  private long passWithProcess(String provider, boolean endsStale, long lengthNs) throws Exception {
    Random random = random();
    try (RegionHandover region = new RegionHandover(provider, random);
        ChildJvm child = start(provider, region)) {
      int toChild = region.owner.resolve(HexFormat.of().parseHex(line(child)));
      long startNs = System.nanoTime();
      int passes = 0;
      do {
        pass(region, toChild, endsStale, random.nextInt(1_000));
        passes++;
      } while (System.nanoTime() - startNs < lengthNs);
      assertTrue(tellUntil(() -> !child.isAlive(), region, toChild, 0, 0), "the writer goes on");
      long late = Long.parseLong(line(child));
      System.out.println(provider + ": " + passes + " passes, " + late + " late writes");
      assertEquals(0, child.exitCode());
      return late;
    }
  }

  private static void pass(RegionHandover region, int toChild, boolean endsStale, int turns)
      throws DriverException {
    MemoryRegion granted = region.grant();
    long key = granted.remoteKey();
    boolean isTouched = tellUntil(region::isTouched, region, toChild, key, granted.remoteBase());
    assertTrue(isTouched, "the writer does not write");
    turn(region, turns);
    region.revoke(granted);
    region.owner.datagrams.clear();
    awaitLate(region, endsStale, key, 1);
    MemoryRegion renewed = region.handOver();
    awaitLate(region, endsStale, key, 3);
    region.assertIntact();
    region.revoke(renewed);
  }

  private ChildJvm start(String provider, RegionHandover region) throws IOException {
    String address = HexFormat.of().formatHex(region.owner.endpoint.localAddress().bytes());
    return ChildJvm.start(LateWriterMain.class, directory, List.of(), provider, address);
  }

  private static String line(ChildJvm child) {
    return Objects.requireNonNull(child.readLine(), "the other process ended early");
  }

  /** Sends a grant now and then, until {@code done}. */
  private static boolean tellUntil(
      BooleanSupplier done, RegionHandover region, int toChild, long key, long base) {
    int[] turns = {0};
    return Peer.turnUntil(
        () -> {
          if (turns[0]++ % TURNS_A_MESSAGE == 0) {
            LateWriterMain.tell(region.owner, toChild, key, base);
          }
          return done.getAsBoolean();
        },
        region.owner);
  }

  /** Waits until the writer has said that often that writes with the key have failed. */
  private static void awaitLate(RegionHandover region, boolean endsStale, long key, int messages) {
    if (!endsStale) {
      // after a write that does not end, no message comes, either
      long startNs = System.nanoTime();
      Peer.turnUntil(() -> System.nanoTime() - startNs > SILENCE_NS, region.owner);
    } else if (!Peer.turnUntil(() -> messages(region, key) >= messages, region.owner)) {
      throw new AssertionError("no late write has failed");
    }
  }

  private static long messages(RegionHandover region, long key) {
    return region.owner.datagrams.stream()
        .filter(datagram -> ByteBuffer.wrap(datagram).getLong() == key)
        .count();
  }

  private static void turn(RegionHandover region, int turns) {
    for (int i = 0; i < turns; i++) {
      region.owner.endpoint.poll(region.owner, 64);
    }
  }
}
