package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.config.TransportSettings;
import io.millrace.testkit.driver.NeedsDriver;
import io.millrace.wire.RouteId;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A node with two families of libfabric and UDP serves peers with other sets of families. Each pair
 * meets on the best family of both.
 */
@NeedsDriver(PatternWorld.SHM)
@Timeout(120)
class FabricFamiliesTest {
  private static final RouteId ROUTE = RouteId.of("echo");
  private static final int LENGTH = 300_000;

  private static Transport start(String drivers) {
    return Transport.builder(
            TransportSettings.parse(
                """
                millrace.handshake { provider = psk, listen = "127.0.0.1:0", psk = \
                "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff" }
                millrace.nics = [{ name = lo, address = "127.0.0.1:0", driver = [%s] }]
                """
                    .formatted(drivers)))
        .start();
  }

  @Test
  void shouldMeetOnTheBestFamilyOfBoth() throws Exception {
    try (Transport server = start("\"fabric:tcp\", \"fabric:shm\", udp")) {
      Raw.serve(
          server,
          ROUTE,
          call -> CompletableFuture.completedStage(UnaryResponse.of(call.payload())));
      for (String best : List.of(PatternWorld.SHM, PatternWorld.TCP, "udp")) {
        List<String> drivers =
            best.equals(PatternWorld.SHM)
                ? List.of("udp", PatternWorld.TCP, PatternWorld.SHM)
                : best.equals("udp") ? List.of("udp") : List.of("udp", best);
        try (Transport client = start("\"" + String.join("\", \"", drivers) + "\"")) {
          byte[] sent = new byte[LENGTH];
          new Random(1).nextBytes(sent);
          UnaryResponse answer =
              Raw.unary(client.peer(server.address()), ROUTE, sent)
                  .toCompletableFuture()
                  .get(60, TimeUnit.SECONDS);
          assertArrayEquals(sent, answer.payload());
          WorkerSnapshot worker = client.snapshot().workers().getFirst();
          List<String> used =
              worker.nics().stream()
                  .filter(nic -> nic.datagramsSent() > 0)
                  .map(WorkerSnapshot.Nic::driver)
                  .toList();
          assertEquals(List.of(best), used);
          long writes = worker.bodies().remoteWrites().posted();
          assertTrue(best.equals("udp") ? writes == 0 : writes > 0, best + ": " + writes);
        }
      }
    }
  }
}
