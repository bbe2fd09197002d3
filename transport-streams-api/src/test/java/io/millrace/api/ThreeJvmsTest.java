package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterNode;
import io.millrace.testkit.cluster.ClusterTest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three nodes in JVMs of their own over real sockets; one node dies and comes back. */
@ClusterTest(
    names = {"red", "green", "blue"},
    heapMb = 256)
@Timeout(120)
class ThreeJvmsTest {
  @Test
  void shouldFailOnlyTheCallsOfAKilledNodeAndServeThemAfterItsRestart(Cluster cluster)
      throws Exception {
    cluster.run(new MemberNode("127.0.0.1:0", "blue"));
    cluster.awaitBarrier("all have called all");
    ClusterNode blue = cluster.node("blue");
    String address = cluster.await("address of blue");
    cluster.await("red calls on");
    cluster.await("green calls on");

    blue.kill();
    String seenByRed = cluster.await("red saw");
    String seenByGreen = cluster.await("green saw");
    blue.restart(new MemberNode(address, "blue"));
    for (ClusterNode node : cluster.nodes()) {
      cluster.await(node.name() + " is done");
    }

    assertEquals(2, blue.incarnation());
    assertEquals(address, cluster.await("address of blue"));
    assertEquals(seenByRed, cluster.node("red").stop());
    assertEquals(seenByGreen, cluster.node("green").stop());
    assertEquals("", blue.stop());
    assertEquals(List.of(), cluster.failures());
    System.out.println("the killed node's peers saw " + seenByRed + " and " + seenByGreen);
  }
}
