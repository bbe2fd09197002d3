package io.millrace.path.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.config.TransportSettings;
import io.millrace.driver.DriverException;
import io.millrace.ends.ExecutorLane;
import io.millrace.ends.LaneTask;
import io.millrace.nic.NodeNics;
import io.millrace.node.AddressNetwork;
import io.millrace.protocol.congestion.ReceiveBudget;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bounds that a node's settings put on the memory granted to peers. */
class SlowedGrantsTest {
  private static final int REGION_BYTES = 256 << 10;
  private static final int REGIONS = 8;
  private static final int RECORD_BYTES = 64 << 10;
  private static final long LEAST_BYTES = 8 << 10;
  private static final long MS_NS = 1_000_000;
  private static final String SETTINGS =
      """
      millrace.regions.sizes = [256 KiB]
      millrace.regions.counts = [8]
      millrace.limits { pending-low = 2, pending-high = 6 }
      """;

  /**
   * Bytes granted to a peer with unlimited demand, while {@code waiting} calls wait for the
   * executor.
   */
  private static long granted(int waiting) throws DriverException {
    List<Runnable> held = new ArrayList<>();
    ExecutorLane lane = new ExecutorLane(held::add, 16, 1);
    WorkerLab lab = new WorkerLab(new FakeEndpoint(16, 64), SETTINGS, lane);
    for (int i = 0; i < waiting; i++) {
      assertTrue(lane.offer(LaneTask.always(() -> {})));
    }
    ask(lab);
    lab.turns(20, MS_NS);
    return lab.services.regions().pool().authorisedBytes();
  }

  private static void ask(WorkerLab lab) throws DriverException {
    lab.open(lab.link(1), 1, true);
    lab.endpoint.arrivals.add(
        new FarSide(1, false)
            .packet(WriteFrames.request(1, 3, (long) REGIONS * REGION_BYTES, REGION_BYTES)));
  }

  @Test
  void shouldGrantLessTheMoreCallsWaitForTheExecutor() throws DriverException {
    long all = granted(0);
    assertTrue(all > REGIONS * REGION_BYTES / 2, all + " bytes");
    assertEquals(all, granted(2));
    assertNear(all / 2, granted(4));
    assertEquals(LEAST_BYTES, granted(6));
    assertEquals(LEAST_BYTES, granted(16));
  }

  @Test
  void shouldGrantNoMoreThanTheReceiveRate() throws DriverException {
    long bytesPerSecond = 10_000_000;
    TransportSettings settings =
        TransportSettings.parse(
            "millrace.handshake.provider = psk, millrace.handshake.psk = \""
                + "00".repeat(32)
                + "\"\nmillrace.workers.count = 1\nmillrace.nic.receive-rate = 80 Mbit/s");
    ReceiveBudget receive =
        NodeNics.of(settings, names -> List.of(), local -> AddressNetwork.UNKNOWN).receiveBudget(0);
    WorkerLab lab = new WorkerLab(new FakeEndpoint(16, 64), receive);
    ask(lab);
    lab.turns(1, MS_NS);
    long first = lab.services.regions().pool().authorisedBytes();
    lab.turns(50, MS_NS);
    long rest = lab.services.regions().pool().authorisedBytes() - first;
    assertTrue(first <= RECORD_BYTES, first + " bytes at once");
    assertNear(bytesPerSecond / 20, rest);
  }

  private static void assertNear(long wantedBytes, long bytes) {
    assertTrue(
        Math.abs(bytes - wantedBytes) <= RECORD_BYTES,
        bytes + " bytes, and " + wantedBytes + " were wanted");
  }
}
