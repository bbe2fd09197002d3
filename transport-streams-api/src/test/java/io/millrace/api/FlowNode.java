package io.millrace.api;

import io.millrace.ends.FailureText;
import io.millrace.testkit.cluster.NodeHandle;
import io.millrace.testkit.cluster.NodeProgram;
import io.millrace.wire.RouteId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.Done;
import org.apache.pekko.NotUsed;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.jspecify.annotations.Nullable;

/**
 * A node of a pair with four endless flows of bytes from the sender to the receiver. The sender
 * begins a bulk write and a stream of requests; the receiver begins a bulk read and a stream of
 * responses. The test kills one node; the result of the other node is the end of each of the four
 * flows.
 *
 * @param driver of the workers
 * @param doomed name of the node for the test to kill
 */
record FlowNode(String driver, String doomed) implements NodeProgram {
  static final String SENDER = "sender";
  static final String RECEIVER = "receiver";
  static final String IN_THE_MIDDLE = "all four are in the middle";

  private static final RouteId WRITE = RouteId.of("write");
  private static final RouteId READ = RouteId.of("read");
  private static final RouteId REQUESTS = RouteId.of("requests");
  private static final RouteId RESPONSES = RouteId.of("responses");
  private static final long ENDLESS_BYTES = 1L << 36;
  private static final long MIDDLE_BYTES = 1 << 20;
  private static final long MIDDLE_ELEMENTS = 500;
  private static final int ELEMENT_BYTES = 1_000;
  private static final long LIMIT_S = 20;

  /** One end of a flow of bytes. */
  private static final class Way {
    final CompletableFuture<String> end = new CompletableFuture<>();
    final AtomicLong elements = new AtomicLong();

    /**
     * Records the end of the flow, in words; a first failure other than {@link CallException} is a
     * fault.
     */
    void onEnd(@Nullable Throwable failure) {
      if (failure == null) {
        end.complete("whole");
      } else if (FailureText.cause(failure) instanceof CallException failed) {
        end.complete(failed.outcome().name());
      } else {
        end.complete(failure.toString());
      }
    }

    /** Returns the element of this number. */
    static byte[] element(long number) {
      return KnownBytes.of(number, ELEMENT_BYTES);
    }

    static Source<byte[], NotUsed> endless() {
      return Source.unfold(0L, n -> Optional.of(Pair.create(n + 1, element(n))));
    }

    Flow<byte[], byte[], NotUsed> checked() {
      return Flow.<byte[]>create()
          .map(
              element -> {
                if (!KnownBytes.isWhole(elements.getAndIncrement(), element, ELEMENT_BYTES)) {
                  throw new AssertionError("element " + elements + " is another");
                }
                return element;
              });
    }
  }

  @Override
  public void run(NodeHandle self) throws Exception {
    Map<String, Way> ways = new TreeMap<>();
    for (String name : List.of("read", "requests", "responses", "write")) {
      ways.put(name, new Way());
    }
    try (Transport transport = Transport.start(TwoNodes.settings(settings()))) {
      if (self.name().equals(SENDER)) {
        send(self, transport, ways);
      } else {
        receive(self, transport, ways);
      }
      if (self.name().equals(doomed)) {
        self.awaitStop();
      }
      Map<String, String> ends = new TreeMap<>();
      for (Map.Entry<String, Way> way : ways.entrySet()) {
        ends.put(way.getKey(), way.getValue().end.get(LIMIT_S, TimeUnit.SECONDS));
      }
      Remains.awaitNoneOfPeers(self, transport);
      self.result(ends.toString());
    }
    Remains.awaitNoThread(self);
  }

  private String settings() {
    return """
    millrace.nic.driver = "%s"
    millrace.handshake.timeout = 1 s
    millrace.recovery { fail-after = 500 ms, unanswered-probes = 1000, keep-alive = 1 s }
    millrace.regions { counts = [64, 16] }
    """
        .formatted(driver);
  }

  private static void send(NodeHandle self, Transport transport, Map<String, Way> ways)
      throws Exception {
    KnownSource read = KnownSource.free(1, ENDLESS_BYTES, true);
    Raw.serveBulkReads(transport, READ, offer -> CompletableFuture.completedFuture(read));
    Way responses = way(ways, "responses");
    Raw.serveStreamingResponse(
        transport,
        RESPONSES,
        call ->
            Raw.StreamingResponse.of(
                Way.endless()
                    .watchTermination(
                        (left, end) -> end.whenComplete((done, e) -> responses.onEnd(e)))));
    self.publish("address of " + SENDER, transport.address());
    Peer peer = transport.peer(self.await("address of " + RECEIVER));
    KnownSource written = KnownSource.free(2, ENDLESS_BYTES, false);
    var _ =
        Raw.bulkWrite(peer, WRITE, written, TransferOptions.DEFAULTS)
            .whenComplete((receipt, failure) -> way(ways, "write").onEnd(failure));
    var _ =
        Way.endless()
            .runWith(
                Raw.streamingRequest(peer, REQUESTS, TransferOptions.DEFAULTS),
                transport.materializer())
            .whenComplete((response, failure) -> way(ways, "requests").onEnd(failure));
    self.awaitUntil("what is read from here is closed", () -> read.closed() > 0);
    way(ways, "read").end.complete("closed " + read.closed());
    self.awaitUntil("what was written from here is closed", () -> written.closed() > 0);
  }

  private static void receive(NodeHandle self, Transport transport, Map<String, Way> ways)
      throws Exception {
    KnownTarget written = target(2, way(ways, "write"));
    Raw.serveBulkWrites(transport, WRITE, offer -> CompletableFuture.completedFuture(written));
    Way requests = way(ways, "requests");
    Raw.serveStreamingRequest(
        transport,
        REQUESTS,
        call -> {
          CompletionStage<Done> end =
              call.elements()
                  .via(requests.checked())
                  .runWith(Sink.ignore(), transport.materializer())
                  .whenComplete((done, failure) -> requests.onEnd(failure));
          return end.thenApply(done -> UnaryResponse.of(new byte[1]));
        });
    self.publish("address of " + RECEIVER, transport.address());
    Peer peer = transport.peer(self.await("address of " + SENDER));
    KnownTarget read = target(1, way(ways, "read"));
    CompletableFuture<?> reading = Raw.bulkRead(peer, READ, read, TransferOptions.DEFAULTS);
    Way responses = way(ways, "responses");
    var _ =
        Raw.streamingResponse(peer, UnaryRequest.of(RESPONSES, new byte[1]))
            .via(responses.checked())
            .runWith(Sink.ignore(), transport.materializer())
            .whenComplete((done, failure) -> responses.onEnd(failure));
    self.awaitUntil(
        IN_THE_MIDDLE,
        () ->
            written.position() > MIDDLE_BYTES
                && read.position() > MIDDLE_BYTES
                && requests.elements.get() > MIDDLE_ELEMENTS
                && responses.elements.get() > MIDDLE_ELEMENTS);
    self.publish(IN_THE_MIDDLE, "");
    var _ = written.end().thenAccept(end -> way(ways, "write").end.complete(end.name()));
    var _ =
        reading.whenComplete(
            (receipt, failure) -> {
              Way way = new Way();
              way.onEnd(failure);
              way(ways, "read").end.complete(read.end().getNow(null) + " " + way.end.join());
            });
  }

  private static Way way(Map<String, Way> ways, String name) {
    return Objects.requireNonNull(ways.get(name));
  }

  /** Returns a target of endless bytes: a broken rule counts as the end of the flow. */
  private static KnownTarget target(long id, Way way) {
    return new KnownTarget(
        id, ENDLESS_BYTES, (rule, what) -> way.end.complete(rule + ": " + what), () -> {});
  }
}
