package io.millrace.testkit.internal.node;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.transfer.CallOutcome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FullNodeTest {
  private static final long SECOND_NS = 1_000_000_000L;

  private static String run(long seed, int lossPpm, int bytes) throws Exception {
    return SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(seed)) {
            EchoNodes nodes = new EchoNodes(simulation, 3, lossPpm);
            List<EchoNodes.Call> calls = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
              byte[] payload = new byte[bytes];
              payload[0] = (byte) i;
              calls.add(nodes.call(i % 3, (i + 1) % 3, payload));
            }
            simulation.runUntil(
                () -> calls.stream().allMatch(EchoNodes.Call::isDone), 60 * SECOND_NS);
            for (int i = 0; i < calls.size(); i++) {
              EchoNodes.Call call = calls.get(i);
              assertTrue(call.isDone(), "call " + i + " of seed " + seed);
              assertEquals(CallOutcome.OK, call.outcome, call.failure);
              assertEquals(bytes, call.answer.length);
              assertEquals((byte) i, call.answer[0]);
            }
            return simulation.trace().hex();
          }
        });
  }

  @Test
  void shouldAnswerCallsUnderVirtualTime() throws Exception {
    assertEquals(32, run(1, 0, 32).length());
  }

  @Test
  void shouldHaveOneHashPerSeed() throws Exception {
    String first = run(7, 20_000, 3_000);
    for (int i = 0; i < 20; i++) {
      assertEquals(first, run(7, 20_000, 3_000));
    }
    assertNotEquals(first, run(8, 20_000, 3_000));
  }

  @Test
  void shouldCarryBodiesOverALossyNetwork() throws Exception {
    assertEquals(32, run(3, 50_000, 200_000).length());
  }

  @Test
  void shouldMarkTheLinesThatANodeLogs() throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(5)) {
            EchoNodes nodes = new EchoNodes(simulation, 2, 0);
            simulation.runUntil(() -> false, 3_000_000);
            assertEquals("seed 5, 3000000 ns, n1: ", nodes.node(1).environment().logMark());
            return null;
          }
        });
  }

  @Test
  void shouldForgetACrashedLife() throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(5)) {
            EchoNodes nodes = new EchoNodes(simulation, 2, 0);
            EchoNodes.Call before = nodes.call(0, 1, new byte[] {1});
            assertTrue(simulation.runUntil(before::isDone, 10 * SECOND_NS));
            assertArrayEquals(new byte[] {1}, before.answer);
            nodes.node(1).crash();
            EchoNodes.Call lost = nodes.call(0, 1, new byte[] {2});
            assertTrue(simulation.runUntil(lost::isDone, 60 * SECOND_NS));
            assertNotEquals(CallOutcome.OK, lost.outcome);
            nodes.restart(1);
            assertEquals(2, nodes.node(1).incarnation());
            EchoNodes.Call after = nodes.call(0, 1, new byte[] {3});
            assertTrue(simulation.runUntil(after::isDone, 120 * SECOND_NS));
            // The peer was given up; a second call starts a new search for the peer.
            for (int i = 0; i < 100 && after.outcome == CallOutcome.PEER_UNREACHABLE; i++) {
              simulation.runUntil(() -> false, simulation.nowNs() + SECOND_NS / 10);
              after = nodes.call(0, 1, new byte[] {3});
              EchoNodes.Call again = after;
              assertTrue(simulation.runUntil(again::isDone, 120 * SECOND_NS));
            }
            assertEquals(CallOutcome.OK, after.outcome, after.failure);
            assertArrayEquals(new byte[] {3}, after.answer);
            return null;
          }
        });
  }
}
