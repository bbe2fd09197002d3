package io.millrace.samples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.CallException;
import io.millrace.api.Peer;
import io.millrace.api.Transport;
import io.millrace.samples.served.ServedRoutes;
import io.millrace.samples.served.ServedStreams;
import io.millrace.transfer.CallOutcome;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.OverflowStrategy;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.SinkQueueWithCancel;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.stream.javadsl.SourceQueueWithComplete;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code serve --drain}: transfers running at the signal end first, for so long at most. */
@Timeout(120)
class ServeDrainTest {
  private static final ByteString ELEMENT = ByteString.fromArrayUnsafe(new byte[] {1, 2, 3});

  @TempDir private Path folder;

  /** A stream to the node's echo, open until its requests are complete. */
  private static Pair<SourceQueueWithComplete<ByteString>, SinkQueueWithCancel<ByteString>> open(
      Transport client, Peer node) {
    return Source.<ByteString>queue(4, OverflowStrategy.backpressure())
        .viaMat(node.bidirectional(ServedStreams.ECHO), Keep.left())
        .toMat(Sink.queue(), Keep.both())
        .run(client.materializer());
  }

  private static void echo(
      Pair<SourceQueueWithComplete<ByteString>, SinkQueueWithCancel<ByteString>> stream)
      throws Exception {
    stream.first().offer(ELEMENT).toCompletableFuture().get(20, TimeUnit.SECONDS);
    assertEquals(
        ELEMENT,
        stream.second().pull().toCompletableFuture().get(20, TimeUnit.SECONDS).orElseThrow());
  }

  private static CompletableFuture<List<String>> end(NodeInThread node) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return node.end();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
  }

  /** Calls until the node has heard of its end. */
  private static void awaitRefusal(Peer node) throws Exception {
    while (true) {
      try {
        node.unary(ServedRoutes.ECHO, ELEMENT).get(20, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        CallException refused = assertInstanceOf(CallException.class, e.getCause());
        assertEquals(CallOutcome.SHUTTING_DOWN, refused.outcome());
        return;
      }
    }
  }

  private interface Plan {
    void run(NodeInThread node, Transport client, Peer peer) throws Exception;
  }

  private void run(String seconds, Plan plan) throws Exception {
    LocalCertificates certificates = LocalCertificates.in(folder);
    try (NodeInThread node =
            NodeInThread.start("--drain", seconds, "--certs", certificates.path());
        Transport client = Transport.start(certificates.settings())) {
      plan.run(node, client, client.peer(node.address()));
    }
  }

  @Test
  void shouldFinishWhatRuns() throws Exception {
    run(
        "60",
        (node, client, peer) -> {
          var stream = open(client, peer);
          echo(stream);
          CompletableFuture<List<String>> ended = end(node);
          awaitRefusal(peer);
          echo(stream);
          stream.first().complete();
          assertTrue(
              stream.second().pull().toCompletableFuture().get(20, TimeUnit.SECONDS).isEmpty());
          assertEquals(List.of("drained"), ended.get(20, TimeUnit.SECONDS));
        });
  }

  @Test
  void shouldSayWhatIsLeft() throws Exception {
    run(
        "1",
        (node, client, peer) -> {
          var stream = open(client, peer);
          echo(stream);
          assertEquals(
              List.of("after 1 s there were left: 1 transfers of peers, 0 of this node"),
              end(node).get(20, TimeUnit.SECONDS));
          assertThrows(
              ExecutionException.class,
              () -> stream.second().pull().toCompletableFuture().get(20, TimeUnit.SECONDS));
        });
  }

  @Test
  void shouldRefuseATimeThatIsNone() {
    for (String bad : List.of("-1", "86401", "soon")) {
      CommandRun refused = CommandRun.of("serve", "--listen", "127.0.0.1:0", "--drain", bad);
      assertEquals(2, refused.exitCode());
      assertEquals(1, refused.err().size(), refused.err()::toString);
    }
  }
}
