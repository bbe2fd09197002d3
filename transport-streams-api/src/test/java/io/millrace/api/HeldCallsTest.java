package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The memory of a transfer under way: a hundred thousand transfers at a time. */
@ClusterTest(
    names = {"caller", "holder"},
    heapMb = 512)
@Timeout(180)
class HeldCallsTest {
  /** The upper limit for each of 100,000 transfers, in bytes; several times the measured cost. */
  private static final long FAR_TOO_MUCH = 1_000;

  @Test
  void shouldHoldManyCallsAtOnceInLittleMemory(Cluster cluster) throws Exception {
    cluster.run(new HeldCallsNode());
    long caller = Long.parseLong(cluster.node("caller").join(HeldCallsNode.LIMIT));
    long holder = Long.parseLong(cluster.node("holder").join(HeldCallsNode.LIMIT));
    System.out.printf(
        "%d calls under way: %d bytes of heap each at the caller, %d at the server, with its copy"
            + " of %d bytes of payload%n",
        HeldCallsNode.CALLS, caller, holder, HeldCallsNode.PAYLOAD_BYTES);
    assertTrue(caller < FAR_TOO_MUCH && holder < FAR_TOO_MUCH, caller + ", " + holder);
  }
}
