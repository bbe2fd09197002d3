package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.driver.NeedsDriver;
import io.millrace.wire.RouteId;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** The patterns with a provider of libfabric; the soak runs every test of patterns with three. */
@Tag(PatternWorld.SOCKETS)
@NeedsDriver(PatternWorld.SOCKETS)
@Timeout(120)
class FabricPatternsTest {
  private static final RouteId ROUTE = RouteId.of("echo");
  private static final int LENGTH = 300_000;

  @Nested
  class Patterns extends PatternsTest {}

  /** Without this check the tests above would prove nothing about a fabric. */
  @Test
  void shouldMoveBodiesByWritesAndNotByDatagrams(TestInfo test) throws Exception {
    assertArrayEquals(new PatternWorld[] {PatternWorld.FABRIC_SOCKETS}, PatternWorld.all(test));
    PatternWorld.FABRIC_SOCKETS.run(
        nodes -> {
          Raw.serve(
              nodes.server(),
              ROUTE,
              call -> CompletableFuture.completedStage(UnaryResponse.of(call.payload())));
          nodes.await(Raw.unary(nodes.peer(), ROUTE, new byte[LENGTH]));

          TransportSnapshot server = nodes.server().snapshot();
          WorkerSnapshot worker = server.workers().getFirst();
          assertEquals(PatternWorld.SOCKETS, server.driver());
          assertTrue(worker.bodies().records().bodyBytesReceived() >= LENGTH, worker.toString());
          assertTrue(worker.network().bytesReceived() < LENGTH / 2, worker.toString());
        });
  }
}
