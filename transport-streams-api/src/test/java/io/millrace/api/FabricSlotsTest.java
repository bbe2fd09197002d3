package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ends.PathCounters;
import io.millrace.testkit.driver.NeedsDriver;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Small packets written into slots of the peer, by the providers of libfabric. */
@Tag("soak")
@Timeout(60)
class FabricSlotsTest {
  private static final RouteId ROUTE = RouteId.of("echo");
  private static final int ROUNDS = 20;
  private static final int AT_ONCE = 3;
  private static final World.Settings SLOTS =
      new World.Settings("millrace.regions.packet-slots = 8", "millrace.regions.packet-slots = 8");

  @Test
  @NeedsDriver(PatternWorld.SOCKETS)
  void shouldWriteSmallPacketsOverSockets() throws Exception {
    assertWrites(PatternWorld.FABRIC_SOCKETS);
  }

  @Test
  @NeedsDriver(PatternWorld.TCP)
  void shouldWriteSmallPacketsOverTcp() throws Exception {
    assertWrites(PatternWorld.FABRIC_TCP);
  }

  @Test
  @NeedsDriver(PatternWorld.SHM)
  void shouldWriteSmallPacketsOverSharedMemory() throws Exception {
    assertWrites(PatternWorld.FABRIC_SHM);
  }

  private static void assertWrites(PatternWorld world) throws Exception {
    world.run(
        SLOTS,
        nodes -> {
          Raw.serve(
              nodes.server(),
              ROUTE,
              call -> CompletableFuture.completedStage(UnaryResponse.of(call.payload())));
          for (int round = 0; round < ROUNDS; round++) {
            List<Call<UnaryResponse>> calls = new ArrayList<>();
            for (int i = 0; i < AT_ONCE; i++) {
              calls.add(Raw.unary(nodes.peer(), ROUTE, payload(round, i)));
            }
            for (int i = 0; i < AT_ONCE; i++) {
              assertArrayEquals(payload(round, i), nodes.await(calls.get(i)).payload());
            }
          }
          for (Transport each : List.of(nodes.client(), nodes.server())) {
            PathCounters counters = each.pool().port(0).counters();
            assertTrue(counters.packetsWritten > 1, "packets written");
            assertEquals(0, counters.packetWritesFailed);
            assertEquals(0, counters.immediatesRejected);
          }
        });
  }

  private static byte[] payload(int round, int call) {
    return BodyTest.random(call * 40, round);
  }
}
