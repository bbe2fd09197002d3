package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterTest;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Three hundred transports in three JVMs, each with sockets and keys of its own, write at the same
 * time to one transport with regions of 16 MiB in all. The senders write more than twice the size
 * of the receiver's heap. The JVM touches the whole heap at the start: memory that the system adds
 * later is not heap.
 */
@ClusterTest(
    names = {"receiver", "a", "b", "c"},
    heapMb = 384,
    nodeFlags = "receiver: -Xms128m -Xmx128m -XX:+AlwaysPreTouch")
@Timeout(180)
@Tag("soak") // with each commit: CrowdTest for the budget, BurstSimulationTest for the crowd
class SenderCrowdTest {
  @Test
  void shouldServeAllAndNeverAuthoriseMoreThanTheBudget(Cluster cluster) throws Exception {
    cluster.run(new CrowdNode());
    String seen = cluster.node("receiver").join(CrowdNode.LIMIT);
    for (String sender : List.of("a", "b", "c")) {
      assertEquals(
          CrowdNode.SENDERS + " writes were right", cluster.node(sender).join(CrowdNode.LIMIT));
    }
    System.out.println(seen);
  }
}
