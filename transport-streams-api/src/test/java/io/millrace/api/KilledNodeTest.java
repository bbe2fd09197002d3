package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterNode;
import io.millrace.testkit.cluster.ClusterTest;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A node of a pair in two JVMs dies by SIGKILL in the middle of bulk bodies and streams. The other
 * node learns of the death, takes no torn transfer for complete, and keeps no resources.
 */
@ClusterTest(
    names = {FlowNode.SENDER, FlowNode.RECEIVER},
    heapMb = 256)
@Timeout(120)
class KilledNodeTest {
  private static String survivor(Cluster cluster, String driver, String doomed) throws Exception {
    cluster.run(new FlowNode(driver, doomed));
    cluster.await(FlowNode.IN_THE_MIDDLE);
    cluster.node(doomed).kill();
    ClusterNode survivor =
        cluster.node(doomed.equals(FlowNode.SENDER) ? FlowNode.RECEIVER : FlowNode.SENDER);
    return survivor.join();
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.ChosenDriver#names")
  void shouldTellTheSenderThatItsReceiverDied(String driver, Cluster cluster) throws Exception {
    assertEquals(
        "{read=closed 1, requests=PEER_UNRESPONSIVE, responses=PEER_UNRESPONSIVE,"
            + " write=PEER_UNRESPONSIVE}",
        survivor(cluster, driver, FlowNode.RECEIVER));
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.ChosenDriver#names")
  void shouldTellTheReceiverThatItsSenderDied(String driver, Cluster cluster) throws Exception {
    assertEquals(
        "{read=ABORTED PEER_UNRESPONSIVE, requests=PEER_UNRESPONSIVE,"
            + " responses=PEER_UNRESPONSIVE, write=ABORTED}",
        survivor(cluster, driver, FlowNode.SENDER));
  }
}
