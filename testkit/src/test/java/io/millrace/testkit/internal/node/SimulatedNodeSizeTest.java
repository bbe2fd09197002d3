package io.millrace.testkit.internal.node;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.config.TransportSettings;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.sim.NodeSettings;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The memory of an idle simulated node, measured as the growth by more nodes: no wall clock, bytes
 * only.
 */
final class SimulatedNodeSizeTest {
  private static final int FEW = 4;
  private static final int MORE = 16;
  private static final long SETTLES_NS = 10_000_000;
  private static final long MOST_BYTES = 256 << 10;
  private static final int CROWD = 10_000;
  private static final long CALL_NS = 1_000_000_000;

  /**
   * The native part of these bytes: a few send buffers of a train each, and room for a datagram.
   */
  private static final long MOST_NATIVE_BYTES = 32 << 10;

  private record Memory(long heapBytes, long nativeBytes) {
    static Memory now() {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      long direct =
          ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
              .mapToLong(BufferPoolMXBean::getMemoryUsed)
              .sum();
      return new Memory(runtime.totalMemory() - runtime.freeMemory(), direct);
    }
  }

  @Test
  void shouldTakeLessThanAQuarterOfAMebibyteForEachIdleNode() throws Exception {
    SimThread.call(
        () -> {
          TransportSettings settings = SimTransportSettings.ofMany();
          try (Simulation simulation = new Simulation(1)) {
            EchoNodes nodes = new EchoNodes(simulation, FEW, 0, NodeSettings.DEFAULT, settings);
            simulation.runFor(SETTLES_NS);
            Memory few = Memory.now();
            try {
              nodes.add(MORE);
              simulation.runFor(SETTLES_NS);
              Memory many = Memory.now();
              long nativeBytes = (many.nativeBytes() - few.nativeBytes()) / MORE;
              long bytes = (many.heapBytes() - few.heapBytes()) / MORE + nativeBytes;
              assertTrue(bytes < MOST_BYTES, () -> bytes + " bytes a node");
              assertTrue(
                  nativeBytes < MOST_NATIVE_BYTES, () -> nativeBytes + " native bytes a node");
            } finally {
              Reference.reachabilityFence(nodes);
            }
          }
          return true;
        });
  }

  @Test
  @Tag("soak")
  void shouldStartTenThousandNodesOfWhichTheFirstReachesTheLast() throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            EchoNodes nodes =
                new EchoNodes(
                    simulation, CROWD, 0, NodeSettings.DEFAULT, SimTransportSettings.ofMany());
            EchoNodes.Call call = nodes.call(0, CROWD - 1, new byte[] {42});
            boolean isDone = simulation.runUntil(call::isDone, simulation.nowNs() + CALL_NS);
            assertTrue(isDone, () -> "no answer: " + call.failure);
            assertArrayEquals(new byte[] {42}, call.answer);
          }
          return true;
        });
  }
}
