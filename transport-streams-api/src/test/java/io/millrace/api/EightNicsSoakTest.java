package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.body.ArraySource;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.NicSettings;
import io.millrace.testkit.sim.RateSettings;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The gain of eight NICs over one NIC, when each NIC is the bottleneck; under virtual time. */
@Tag("soak")
final class EightNicsSoakTest {
  private static final RouteId STORE = RouteId.of("store");
  private static final int PEERS = 16;
  private static final long BYTES_PER_SECOND = 10_000_000;
  private static final int QUEUE_BYTES = 256_000;
  private static final int BODY_BYTES = 250_000;
  private static final long WARM_UP_NS = NicNodes.SECOND_NS / 2;
  private static final long MEASURED_NS = NicNodes.SECOND_NS;

  @Test
  void shouldCarryAlmostEightTimesAsMuchByEightNics() throws Exception {
    double one = bytesPerSecond(1);
    double eight = bytesPerSecond(8);
    System.out.printf(
        "Throughput of %d peers: 1 NIC %.2f MB/s, 8 NICs %.2f MB/s, ratio %.2f%n",
        PEERS, one / 1e6, eight / 1e6, eight / one);
    assertTrue(one > 0.7 * BYTES_PER_SECOND, () -> "one NIC carries " + one);
    assertTrue(eight >= 7.5 * one, () -> eight + " by eight NICs, " + one + " by one");
  }

  /** Returns the rate of bytes at the peers of one node; each peer always has a body to receive. */
  private static double bytesPerSecond(int nics) throws Exception {
    double[] result = new double[1];
    RateSettings rate = RateSettings.of(BYTES_PER_SECOND, QUEUE_BYTES);
    NetworkSettings network =
        new NetworkSettings(
            LinkSettings.clean(50_000), new NicSettings(rate, rate), 4_000_000, false);
    NicNodes.run(
        network,
        PEERS,
        nics,
        "",
        nodes -> {
          List<BodyTest.Collector> stored = new ArrayList<>();
          Load load = new Load(nodes, stored);
          for (int server = 1; server <= PEERS; server++) {
            load.serve(server);
            load.next(server);
            load.next(server);
          }
          nodes.pass(WARM_UP_NS);
          long before = load.bytes();
          long[] byNic = IntStream.range(0, nics).mapToLong(nodes::bytesOf).toArray();
          nodes.pass(MEASURED_NS);
          result[0] = (load.bytes() - before) * 1e9 / MEASURED_NS;
          long least =
              IntStream.range(0, nics)
                  .mapToLong(nic -> nodes.bytesOf(nic) - byNic[nic])
                  .min()
                  .orElseThrow();
          long most =
              IntStream.range(0, nics)
                  .mapToLong(nic -> nodes.bytesOf(nic) - byNic[nic])
                  .max()
                  .orElseThrow();
          System.out.printf(
              "%d NICs: from %.2f to %.2f MB/s by each%n", nics, least / 1e6, most / 1e6);
          assertTrue(least > 0.8 * most, "a NIC carries much less than another");
          assertEquals(List.of(), load.failures);
        });
    return result[0];
  }

  /** A load that sends each peer one body after the other. */
  private static final class Load {
    private final NicNodes nodes;
    private final List<BodyTest.Collector> stored;
    private final List<Throwable> failures = new ArrayList<>();
    private final byte[] body = new byte[BODY_BYTES];

    Load(NicNodes nodes, List<BodyTest.Collector> stored) {
      this.nodes = nodes;
      this.stored = stored;
    }

    void serve(int server) {
      Raw.serveBulkWrites(
          nodes.server(server),
          STORE,
          offer -> {
            BodyTest.Collector target = new BodyTest.Collector();
            stored.add(target);
            return CompletableFuture.completedFuture(target);
          });
    }

    void next(int server) {
      var _ =
          Raw.bulkWrite(
                  nodes.peer(server),
                  STORE,
                  new ArraySource(body, 0, body.length),
                  TransferOptions.DEFAULTS)
              .whenComplete(
                  (receipt, failure) -> {
                    if (failure == null) {
                      next(server);
                    } else {
                      failures.add(failure);
                    }
                  });
    }

    long bytes() {
      return stored.stream().mapToLong(each -> each.bytes.size()).sum();
    }
  }
}
