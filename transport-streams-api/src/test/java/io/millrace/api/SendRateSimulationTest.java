package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.body.ArraySource;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.net.LossReason;
import io.millrace.testkit.internal.net.NetworkObserver;
import io.millrace.testkit.internal.net.PacketView;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.PolicerSettings;
import io.millrace.wire.RouteId;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The traffic of a node with a rate for its NIC or its flows, under virtual time. */
@Timeout(120)
class SendRateSimulationTest {
  private static final RouteId STORE = RouteId.of("store");
  private static final long DELAY_NS = 20_000;
  private static final int BODY_BYTES = 2_000_000;
  private static final int PACKET_BYTES = 1_472;
  private static final double PACING_TICK_S = 1e-6;

  /** The nodes in the order of their start. */
  private static final int CLIENT = 1;

  /**
   * A bucket that empties at the rate: its maximum fill is the largest excess over the rate in all
   * time spans.
   */
  private static final class Meter implements NetworkObserver {
    private final double bytesPerNs;
    private double burstBytes;
    private double mostBurstBytes;
    private long firstNs;
    private long lastNs;
    private long bytes;
    private long lost;
    private boolean isOver;

    private Meter(long bitsPerSecond) {
      bytesPerNs = bitsPerSecond / (Byte.SIZE * 1e9);
    }

    @Override
    public void onSent(PacketView packet, long nowNs) {
      if (isOver || packet.source().node() != CLIENT) {
        return;
      }
      if (bytes == 0) {
        firstNs = nowNs;
      }
      burstBytes = Math.max(burstBytes - (nowNs - lastNs) * bytesPerNs, 0) + packet.length();
      mostBurstBytes = Math.max(mostBurstBytes, burstBytes);
      bytes += packet.length();
      lastNs = nowNs;
    }

    @Override
    public void onLost(PacketView packet, LossReason reason, long nowNs) {
      lost++;
    }

    private double bitsPerSecond() {
      return bytes * Byte.SIZE / ((lastNs - firstNs) / 1e9);
    }
  }

  /** Makes the client write one bulk body, with these settings of its NIC. */
  private static Meter write(String nic, long bitsPerSecond, PolicerSettings policer)
      throws Exception {
    LinkSettings link = LinkSettings.clean(DELAY_NS).withPolicer(policer);
    NetworkSettings network = NetworkSettings.clean(DELAY_NS).withLink(link);
    Meter meter = new Meter(bitsPerSecond);
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(11);
              SimulatedNodes nodes =
                  new SimulatedNodes(simulation, network, null, "millrace.nic { " + nic + " }")) {
            Raw.serveBulkWrites(
                nodes.server(),
                STORE,
                offer -> CompletableFuture.completedFuture(new BodyTest.Collector()));
            byte[] body = new byte[BODY_BYTES];
            // After this transfer the path is open, and its datagrams have their final size.
            nodes.await(
                Raw.bulkWrite(
                    nodes.peer(),
                    STORE,
                    new ArraySource(body, 0, 100_000),
                    TransferOptions.DEFAULTS));
            nodes.cluster.network().observe(meter);
            nodes.await(
                Raw.bulkWrite(
                    nodes.peer(),
                    STORE,
                    new ArraySource(body, 0, body.length),
                    TransferOptions.DEFAULTS));
            meter.isOver = true;
          }
          return null;
        });
    return meter;
  }

  @ParameterizedTest
  @CsvSource({"20", "100", "1000"})
  void shouldKeepToRateOfNicAndReachIt(int megabits) throws Exception {
    long rate = megabits * 1_000_000L;
    Meter meter = write("send-rate = " + megabits + " Mbit/s", rate, PolicerSettings.NONE);
    assertTrue(meter.bitsPerSecond() >= 0.99 * rate, meter.bitsPerSecond() + " of " + rate);
    double train = Math.max(PACKET_BYTES, Math.min(64 << 10, rate / 8 / 4_000));
    // A packet may leave one tick of the pacing wheel early.
    double most = train + rate / 8.0 * PACING_TICK_S;
    assertTrue(meter.mostBurstBytes <= most, meter.mostBurstBytes + " > " + most);
  }

  @Test
  void shouldFillNicPastPolicerOfFlows() throws Exception {
    PolicerSettings policer = new PolicerSettings(100_000_000 / Byte.SIZE, 8 << 10);
    String nic = "send-rate = 500 Mbit/s, flow-rate = 100 Mbit/s, source-ports = 5";
    Meter meter = write(nic, 500_000_000, policer);
    assertEquals(0, meter.lost);
    assertEquals(1, meter.bitsPerSecond() / 500e6, 0.01);
  }

  @Test
  void shouldNotLoseToPolicerFromOneFlow() throws Exception {
    PolicerSettings policer = new PolicerSettings(100_000_000 / Byte.SIZE, 8 << 10);
    String nic = "send-rate = 500 Mbit/s, flow-rate = 100 Mbit/s";
    Meter meter = write(nic, 100_000_000, policer);
    assertEquals(0, meter.lost);
    assertEquals(1, meter.bitsPerSecond() / 100e6, 0.01);
  }
}
