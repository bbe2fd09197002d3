package io.millrace.efa;

import static io.millrace.driver.CompletionHandler.STATUS_OK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverException;
import io.millrace.efa.FaultyFabric.Fault;
import io.millrace.testkit.driver.NeedsDriver;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** The library of faults passes everything on, except where a fault is armed. */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
@Timeout(60)
class FaultyFabricTest {
  @Test
  @NeedsDriver("fabric:sockets")
  void shouldPassEverythingOnWithoutFaults() throws DriverException {
    try (FaultyFabric fabric = FaultyFabric.load();
        Peer left = fabric.open("sockets");
        Peer right = fabric.open("sockets")) {
      int toRight = left.resolve(right);
      left.send(toRight, 1, 3_000, 1_000, 7);
      assertTrue(
          Peer.turnUntil(() -> right.datagrams.size() == 3 && left.sends.size() == 1, left, right));
      assertEquals(List.of(new Peer.Completion(7, STATUS_OK)), left.sends);
      assertEquals(3, fabric.posts(fabric.newestEndpoint() - 1, 0));
    }
  }

  @Test
  @NeedsDriver("fabric:sockets")
  void shouldRefuseOnlyTheArmedPosts() throws DriverException {
    try (FaultyFabric fabric = FaultyFabric.load();
        Peer left = fabric.open("sockets");
        Peer right = fabric.open("sockets")) {
      int toRight = left.resolve(right);
      fabric.arm(Fault.TRY_AGAIN, fabric.newestEndpoint() - 1, 0, 1, 5);
      left.send(toRight, 1, 3_000, 1_000, 7);
      assertTrue(Peer.turnUntil(() -> left.sends.size() == 1, left, right));
      assertEquals(List.of(new Peer.Completion(7, STATUS_OK)), left.sends);
      assertEquals(5, fabric.done(Fault.TRY_AGAIN));
      assertEquals(5, left.endpoint.fabricCounters().tryAgains);
      assertEquals(8, fabric.posts(fabric.newestEndpoint() - 1, 0));
    }
  }

  @Test
  @NeedsDriver("fabric:sockets")
  void shouldRefuseRegistrations() throws DriverException {
    try (FaultyFabric fabric = FaultyFabric.load();
        Peer peer = fabric.open("sockets");
        Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(4_096);
      fabric.arm(Fault.NO_MEMORY, FaultyFabric.ANY, FaultyFabric.ANY, 0, 1);
      DriverException refusal =
          assertThrows(
              DriverException.class, () -> peer.endpoint.remoteMemory().register(memory, true));
      assertEquals(DriverException.Kind.OUT_OF_MEMORY, refusal.kind());
      assertEquals(1, fabric.done(Fault.NO_MEMORY));
      peer.endpoint.remoteMemory().deregister(peer.endpoint.remoteMemory().register(memory, true));
    }
  }
}
