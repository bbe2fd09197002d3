package io.millrace.samples.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import io.millrace.samples.log.bench.ReplicaProcesses;
import io.millrace.samples.store.StoreRoutes.Register;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two members of a cluster over a common database; the members are the coordinator one after the
 * other.
 */
@Tag("soak") // a cluster needs some seconds to form
@Timeout(60)
class ClusteredCoordinatorTest {
  @Test
  void shouldServeAtTheNextMemberWhenTheCoordinatorLeaves() throws Exception {
    TransportSettings settings = TransportSettings.parse(StoreNodes.SETTINGS);
    CoordinatorSettings shared = CoordinatorSettings.of(TestDatabase.h2().url());
    List<String> cluster = ReplicaProcesses.freeAddresses(2);
    Manifest manifest = Manifest.of(10, 16, List.of("ab".repeat(32)));
    KeyedRanges ranges = KeyedRanges.ofChunks("key", manifest);
    try (Transport first = Transport.start(settings);
        Transport second = Transport.start(settings);
        Transport third = Transport.start(settings);
        ClusteredCoordinator younger =
            ClusteredCoordinator.join(1, cluster, second, shared, InstantSource.system())) {
      CoordinatorClient client =
          new CoordinatorClient(third, List.of(first.address(), second.address()));
      try (ClusteredCoordinator _ =
          ClusteredCoordinator.join(0, cluster, first, shared, InstantSource.system())) {
        while (!younger.isUp()) {
          LockSupport.parkNanos(1_000_000);
        }
        client.register(
            new Register("p", third.address(), "model", manifest, MemoryKind.RAM, ranges, 1), true);
      }
      assertEquals(Optional.of(manifest.id()), client.resolve("model"));
    }
  }
}
