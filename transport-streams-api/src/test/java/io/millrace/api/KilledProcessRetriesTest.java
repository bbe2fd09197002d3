package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterTest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node of three JVMs dies by SIGKILL under 1,000 calls a second with policies for retries. */
@ClusterTest(
    names = {RetryingNode.CALLER, RetryingNode.KEPT, RetryingNode.DOOMED},
    heapMb = 128)
@Timeout(60)
@Tag("soak") // with each commit: KilledNodeRetriesTest, in a simulation
class KilledProcessRetriesTest {
  @Test
  void shouldFailNoIdempotentCallAndExecuteNoOtherCallTwice(
      Cluster cluster, @TempDir Path directory) throws Exception {
    cluster.run(new RetryingNode(directory.toString()));
    cluster.await(RetryingNode.IN_THE_MIDDLE);
    cluster.node(RetryingNode.DOOMED).kill();
    int[] results =
        Stream.of(cluster.node(RetryingNode.CALLER).join().split(" "))
            .mapToInt(Integer::parseInt)
            .toArray();
    cluster.node(RetryingNode.KEPT).stop();
    long twice = executedTwice(directory);

    System.out.printf(
        "%d calls: idempotent failed %d; others failed %d, of these not UNKNOWN %d, under way %d,"
            + " executed twice %d%n",
        RetryingNode.CALLS, results[0], results[1], results[2], results[3], twice);
    assertEquals(0, results[0], "idempotent calls failed");
    assertEquals(0, results[2], "calls failed whose execution was known");
    assertTrue(results[1] <= results[3], "more calls failed than were under way");
    assertEquals(0, twice, "calls that are not idempotent were executed twice");
  }

  /** The calls that are not idempotent have odd numbers. */
  private static long executedTwice(Path directory) throws IOException {
    Map<Integer, Integer> executions = new HashMap<>();
    for (String node : List.of(RetryingNode.KEPT, RetryingNode.DOOMED)) {
      ByteBuffer written = ByteBuffer.wrap(Files.readAllBytes(directory.resolve(node)));
      assertTrue(written.remaining() > Integer.BYTES, node + " executed nothing");
      while (written.remaining() >= Integer.BYTES) {
        executions.merge(written.getInt(), 1, Integer::sum);
      }
    }
    return executions.entrySet().stream()
        .filter(entry -> entry.getKey() % 2 == 1 && entry.getValue() > 1)
        .count();
  }
}
