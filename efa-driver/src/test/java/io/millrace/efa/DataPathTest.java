package io.millrace.efa;

import static io.millrace.driver.CompletionHandler.STATUS_OK;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverException;
import io.millrace.driver.MemoryRegion;
import io.millrace.testkit.driver.NeedsDriver;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The operations that must work on every provider: messages both ways, and a write with an
 * immediate value.
 */
class DataPathTest {
  @Test
  @NeedsDriver("fabric:sockets")
  void shouldCarryMessagesAndWritesOverSockets() throws DriverException {
    assertCarriesBoth("sockets");
  }

  @Test
  @NeedsDriver("fabric:tcp")
  void shouldCarryMessagesAndWritesOverTcp() throws DriverException {
    assertCarriesBoth("tcp");
  }

  @Test
  @NeedsDriver("fabric:shm")
  void shouldCarryMessagesAndWritesOverSharedMemory() throws DriverException {
    assertCarriesBoth("shm");
  }

  private static void assertCarriesBoth(String provider) throws DriverException {
    try (Arena arena = Arena.ofShared();
        Peer left = Peer.open(provider);
        Peer right = Peer.open(provider)) {
      int toRight = left.resolve(right);
      int toLeft = right.resolve(left);
      assertMessagesArrive(left, toRight, right, 3);
      assertMessagesArrive(right, toLeft, left, 90);
      assertWriteArrives(arena, left, toRight, right);
      assertWriteArrives(arena, right, toLeft, left);
      assertMessagesArrive(left, toRight, right, 7);
      for (Peer peer : List.of(left, right)) {
        assertEquals(0, peer.endpoint.operationsInFlight());
        assertEquals(0, peer.endpoint.fabricCounters().strayCompletions);
        assertEquals(0, peer.endpoint.fabricCounters().queueErrors);
        assertEquals(0, peer.endpoint.fabricCounters().failedReceives);
        assertEquals(0, peer.endpoint.counters().sendFailures);
      }
      left.endpoint.release(toRight);
      right.endpoint.release(toLeft);
    }
  }

  /** Sends three and a half datagrams and checks the arrival. */
  private static void assertMessagesArrive(Peer from, int destination, Peer to, int first) {
    to.datagrams.clear();
    from.sends.clear();
    from.send(destination, first, 3_500, 1_000, first);
    assertTrue(Peer.turnUntil(() -> to.datagrams.size() == 4 && from.sends.size() == 1, from, to));
    int number = first;
    for (int i = 0; i < 4; i++) {
      byte[] expected = new byte[i < 3 ? 1_000 : 500];
      for (int k = 0; k < expected.length; k++) {
        expected[k] = (byte) number++;
      }
      assertArrayEquals(expected, to.datagrams.get(i), "datagram " + i);
    }
    assertEquals(List.of(new Peer.Completion(first, STATUS_OK)), from.sends);
  }

  private static void assertWriteArrives(Arena arena, Peer from, int destination, Peer to)
      throws DriverException {
    MemorySegment source = arena.allocate(100_000, 64).fill((byte) 9);
    MemorySegment target = arena.allocate(300_000, 64);
    MemoryRegion local = from.endpoint.remoteMemory().register(source, false);
    MemoryRegion remote = to.endpoint.remoteMemory().register(target, true);
    assertTrue(
        from.write(destination, Peer.write(local, 100_000, remote, 100_000).immediate(77), 5, to));
    assertTrue(Peer.turnUntil(() -> to.immediates.equals(List.of(77L)), from, to));
    assertEquals(STATUS_OK, from.awaitWrite(5, to));
    assertEquals(-1, MemorySegment.mismatch(source, 0, 100_000, target, 100_000, 200_000));
    MemorySegment zeroes = arena.allocate(100_000);
    assertEquals(-1, MemorySegment.mismatch(zeroes, 0, 100_000, target, 0, 100_000));
    assertEquals(-1, MemorySegment.mismatch(zeroes, 0, 100_000, target, 200_000, 300_000));
    from.endpoint.remoteMemory().deregister(local);
    to.endpoint.remoteMemory().deregister(remote);
  }
}
