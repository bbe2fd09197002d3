package io.millrace.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.internal.driver.Impairment;
import io.millrace.wire.RouteId;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.SystemMaterializer;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.SinkQueueWithCancel;
import org.apache.pekko.stream.javadsl.Source;

/** Streams of known elements, and methods for tests to wait for streams. */
final class StreamChecks {
  static final RouteId ROUTE = RouteId.of("streams");
  static final Impairment CLEAN = new Impairment(1, 0, 0, 0, 1, 0);
  static final byte[] HEADERS = "asked".getBytes(UTF_8);
  static final byte[] ANSWERED = "answered".getBytes(UTF_8);

  private StreamChecks() {}

  static Materializer materializer(Transport node) {
    return SystemMaterializer.get(node.pool().system()).materializer();
  }

  /**
   * Returns the element of this number, with every length up to a few datagrams and each byte
   * known.
   */
  static byte[] element(int number) {
    int length = number % 50 == 49 ? 30_000 : number % 7 * (number % 13) * 11;
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (number * 31 + i * 7 + (i >> 8));
    }
    return bytes;
  }

  static void assertElements(int count, List<byte[]> got) {
    assertEquals(count, got.size());
    for (int i = 0; i < count; i++) {
      assertArrayEquals(element(i), got.get(i), "element " + i);
    }
  }

  static Source<byte[], ?> elements(int count) {
    return Source.range(0, count - 1).map(StreamChecks::element);
  }

  static <T> T await(NodePair nodes, CompletionStage<T> stage) throws Exception {
    return nodes.await(stage.toCompletableFuture());
  }

  static CallException failure(NodePair nodes, CompletionStage<?> stage) {
    ExecutionException failed = assertThrows(ExecutionException.class, () -> await(nodes, stage));
    return assertInstanceOf(CallException.class, failed.getCause());
  }

  static TransferOptions options() {
    return TransferOptions.DEFAULTS.withHeaders(HEADERS);
  }

  /** Waits until neither node has a transfer open. */
  static void awaitNothingOpen(NodePair nodes) {
    assertTrue(
        nodes.awaitUntil(() -> StreamCensus.open(nodes.client()) == 0), "the client's are open");
    assertTrue(
        nodes.awaitUntil(() -> StreamCensus.open(nodes.server()) == 0), "the server's are open");
  }

  static Sink<byte[], SinkQueueWithCancel<byte[]>> queueOfOne() {
    return Sink.<byte[]>queue()
        .withAttributes(org.apache.pekko.stream.Attributes.inputBuffer(1, 1));
  }
}
