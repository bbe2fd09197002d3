package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterNode;
import io.millrace.testkit.cluster.ClusterTest;
import io.millrace.transfer.CallOutcome;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Three nodes in JVMs of their own exchange calls, streams and bulk bodies, and one node stands
 * still by SIGSTOP for a while. This is the counterpart of the simulator's pauses, with real
 * sockets and processes.
 */
@ClusterTest(
    names = {"red", "green", "blue"},
    heapMb = 256,
    limitSeconds = TrafficNode.PATIENCE_S)
@Timeout(5 * TrafficNode.PATIENCE_S)
class StoppedNodeTest {
  private static final int RED = 0;
  private static final int GREEN = 1;
  private static final int BLUE = 2;
  private static final int NODES = 3;

  @TempDir Path logs;

  /**
   * Returns the transfers that the other nodes had under way to the stopped node when they noticed
   * the stop.
   */
  private List<String> stop(Cluster cluster, TrafficNode program) throws Exception {
    cluster.run(program);
    cluster.awaitBarrier(TrafficNode.CONNECTED);
    cluster.awaitBarrier(TrafficNode.EXCHANGE);
    cluster.node("blue").pause();
    cluster.publish(TrafficNode.STOPPED, "");
    List<String> open =
        List.of(
            cluster.await("red" + TrafficNode.NOTICED),
            cluster.await("green" + TrafficNode.NOTICED));
    cluster.node("blue").resume();
    cluster.publish(TrafficNode.RESUMED, "");
    for (ClusterNode node : cluster.nodes()) {
      assertEquals("", node.join(), node.name());
    }
    return open;
  }

  private TrafficNode program(String driver, String failAfter, TrafficNode.Plot plot) {
    return new TrafficNode(logs.toString(), driver, failAfter, "blue", plot);
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.ChosenDriver#names")
  void shouldGiveUpANodeThatStandsStillAndTakeItBack(String driver, Cluster cluster)
      throws Exception {
    stop(cluster, program(driver, "5 s", TrafficNode.Plot.LONG_STOP));

    TrafficRecord record = TrafficRecord.read(logs, NODES);
    record.requireOnly(RED, GREEN, CallOutcome.OK);
    record.requireOnly(GREEN, RED, CallOutcome.OK);
    for (int other : List.of(RED, GREEN)) {
      requireEndsOfALostPeer(record, other, BLUE);
      requireEndsOfALostPeer(record, BLUE, other);
      assertTrue(record.failed(other, BLUE) > 0, "nothing was under way to it");
    }
    print(driver, record);
  }

  private static void requireEndsOfALostPeer(TrafficRecord record, int from, int to) {
    record.requireOnly(
        from,
        to,
        CallOutcome.OK,
        CallOutcome.PEER_UNRESPONSIVE,
        CallOutcome.PEER_UNREACHABLE,
        CallOutcome.PEER_RESET,
        CallOutcome.HANDSHAKE_FAILED);
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.ChosenDriver#names")
  void shouldLoseNothingWhenANodeStandsStillForLessThanItsPeersWait(String driver, Cluster cluster)
      throws Exception {
    List<String> open = stop(cluster, program(driver, "100 s", TrafficNode.Plot.SHORT_STOP));

    TrafficRecord record = TrafficRecord.read(logs, NODES);
    for (int from = 0; from < NODES; from++) {
      for (int to = 0; to < NODES; to++) {
        if (from == BLUE || to == BLUE) {
          // The node's health allows no calls before the answers to several probes: earlier calls
          // are refused unsent.
          record.requireOnly(from, to, CallOutcome.OK, CallOutcome.PEER_UNREACHABLE);
        } else {
          record.requireOnly(from, to, CallOutcome.OK);
        }
      }
    }
    assertEquals(List.of("6", "6"), open);
    print(driver, record);
  }

  private static void print(String driver, TrafficRecord record) {
    System.out.printf(
        "%s: red to blue %s, blue to red %s, red to green %s%n",
        driver, record.counts(RED, BLUE), record.counts(BLUE, RED), record.counts(RED, GREEN));
  }
}
