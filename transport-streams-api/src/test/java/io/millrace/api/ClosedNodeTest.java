package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
 * Three nodes in JVMs of their own exchange calls, streams and bulk bodies. One node closes its
 * transport in the middle: the other nodes learn of the close, and go on with each other.
 */
@ClusterTest(
    names = {"red", "green", "blue"},
    heapMb = 256,
    limitSeconds = TrafficNode.PATIENCE_S)
@Timeout(5 * TrafficNode.PATIENCE_S)
class ClosedNodeTest {
  private static final int RED = 0;
  private static final int GREEN = 1;
  private static final int BLUE = 2;

  @TempDir Path logs;

  @ParameterizedTest
  @MethodSource("io.millrace.api.ChosenDriver#names")
  void shouldTellThePeersOfANodeThatClosesAndEndItsProcess(String driver, Cluster cluster)
      throws Exception {
    cluster.run(new TrafficNode(logs.toString(), driver, "20 s", "blue", TrafficNode.Plot.CLOSE));
    cluster.awaitBarrier(TrafficNode.CONNECTED);
    cluster.awaitBarrier(TrafficNode.EXCHANGE);

    for (String name : List.of("blue", "red", "green")) {
      ClusterNode node = cluster.node(name);
      assertEquals("", node.join(), name);
    }
    TrafficRecord record = TrafficRecord.read(logs, 3);
    record.requireOnly(RED, GREEN, CallOutcome.OK);
    record.requireOnly(GREEN, RED, CallOutcome.OK);
    for (int other : List.of(RED, GREEN)) {
      record.requireOnly(BLUE, other, CallOutcome.OK, CallOutcome.CLOSED);
      record.requireOnly(
          other,
          BLUE,
          CallOutcome.OK,
          CallOutcome.SHUTTING_DOWN,
          CallOutcome.PEER_RESET,
          CallOutcome.HANDSHAKE_FAILED);
      System.out.println(
          driver + ": " + record.counts(other, BLUE) + ", back " + record.counts(BLUE, other));
    }
  }
}
