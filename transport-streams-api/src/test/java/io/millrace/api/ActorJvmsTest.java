package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterTest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Actors in three JVMs call and stream to each other, and one JVM dies. */
@ClusterTest(
    names = {"red", "green", "blue"},
    heapMb = 256)
@Timeout(120)
class ActorJvmsTest {
  private static final String DEAD =
      "(PEER_UNRESPONSIVE|PEER_UNREACHABLE|PEER_RESET|HANDSHAKE_FAILED)";

  @Test
  void shouldTellActorsOfAKilledPeerAndGoOnWithTheOther(Cluster cluster) throws Exception {
    cluster.run(new ActorNode("blue"));
    cluster.awaitBarrier("all talk to all");

    cluster.node("blue").kill();

    for (String name : List.of("red", "green")) {
      String seen = cluster.await(name + " saw");
      assertTrue(seen.matches("\\{INCOMING=" + DEAD + ", OUTGOING=" + DEAD + "}, " + DEAD), seen);
    }
    assertEquals("goes on", cluster.node("red").stop());
    assertEquals("goes on", cluster.node("green").stop());
    assertEquals(List.of(), cluster.failures());
  }
}
