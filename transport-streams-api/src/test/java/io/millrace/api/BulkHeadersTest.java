package io.millrace.api;

import static io.millrace.api.StreamChecks.ANSWERED;
import static io.millrace.api.StreamChecks.ROUTE;
import static io.millrace.api.StreamChecks.await;
import static io.millrace.api.StreamChecks.failure;
import static io.millrace.api.StreamChecks.materializer;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.bulk.BulkReceipt;
import io.millrace.api.bulk.BulkSource;
import io.millrace.api.bulk.BulkTarget;
import io.millrace.api.bulk.TeePolicy;
import io.millrace.body.ArraySource;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Headers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Headers of the answers to bulk transfers: the limits, the failures, and the receivers of the
 * headers.
 */
@Timeout(120)
class BulkHeadersTest {
  /** The default limit of a node, in bytes. */
  private static final int MOST = 16_384;

  private static final byte[] PAYLOAD = BodyTest.random(300_000, 1);
  private static final String TOO_LONG =
      (MOST + 1) + " bytes of headers are more than millrace.limits.headers = " + MOST;

  /** A source that records the close by the node. */
  private static final class Watched implements BodySource {
    private final ArraySource source = new ArraySource(PAYLOAD, 0, PAYLOAD.length);
    private final AtomicBoolean closed = new AtomicBoolean();

    @Override
    public long lengthBytes() {
      return source.lengthBytes();
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      return source.read(into, offset, length);
    }

    @Override
    public void close() {
      closed.set(true);
    }
  }

  private static void serveReads(NodePair nodes, BodySource source) {
    Raw.serveBulkReads(nodes.server(), ROUTE, offer -> CompletableFuture.completedStage(source));
  }

  private static CompletableFuture<BulkReceipt> write(NodePair nodes, BodyTarget target) {
    Raw.serveBulkWrites(nodes.server(), ROUTE, offer -> CompletableFuture.completedStage(target));
    ArraySource source = new ArraySource(PAYLOAD, 0, PAYLOAD.length);
    return Raw.bulkWrite(nodes.peer(), ROUTE, source, TransferOptions.DEFAULTS);
  }

  private static void assertFailed(
      NodePair nodes, CallOutcome outcome, String text, CompletionStage<?> stage) {
    CallException failed = failure(nodes, stage);
    assertEquals(outcome, failed.outcome());
    assertEquals(text, failed.reason());
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldAnswerAWriteWithMoreHeadersThanADatagramTakes(PatternWorld world) throws Exception {
    byte[] headers = BodyTest.random(MOST, 2);
    world.run(
        nodes -> {
          BodyTest.Collector target = new BodyTest.Collector();
          BodyTest.Collector cache = new BodyTest.Collector();
          BodyTarget tee =
              BulkTarget.tee(
                  BulkTarget.withHeaders(() -> Headers.decode(headers), target),
                  cache,
                  TeePolicy.FAIL_BOTH);
          BulkReceipt receipt = nodes.await(write(nodes, tee));

          assertArrayEquals(headers, receipt.headers().encode());
          assertEquals(PAYLOAD.length, receipt.bytes());
          assertArrayEquals(PAYLOAD, target.bytes.toByteArray());
          Remains.awaitNone(nodes, world);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldSayThatTheHeadersOfAnAnswerAreTooLong(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          Watched source = new Watched();
          serveReads(nodes, BulkSource.withHeaders(Headers.decode(new byte[MOST + 1]), source));
          BodyTest.Collector read = new BodyTest.Collector();
          BodyTest.Collector stored = new BodyTest.Collector();

          assertFailed(
              nodes,
              CallOutcome.RESPONSE_TOO_LARGE,
              TOO_LONG,
              Raw.bulkRead(nodes.peer(), ROUTE, read, TransferOptions.DEFAULTS));
          assertFailed(
              nodes,
              CallOutcome.RESPONSE_TOO_LARGE,
              TOO_LONG,
              write(
                  nodes, BulkTarget.withHeaders(() -> Headers.decode(new byte[MOST + 1]), stored)));

          assertTrue(nodes.awaitUntil(source.closed::get), "the source is open");
          assertFalse(read.end.join(), "the target of the read was not aborted");
          assertTrue(stored.end.join(), "the target of the write has completed");
          Remains.awaitNone(nodes, world);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldFailAWriteWhoseHeadersCannotBeHad(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          BodyTest.Collector stored = new BodyTest.Collector();
          BodyTarget target =
              BulkTarget.withHeaders(
                  () -> {
                    throw new IllegalStateException("no version");
                  },
                  stored);
          assertFailed(nodes, CallOutcome.TARGET_FAILED, "no version", write(nodes, target));
          assertTrue(stored.end.join(), "the target has completed");
          Remains.awaitNone(nodes, world);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldGiveAStreamItsHeadersAheadOfItsBytes(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          AtomicInteger reads = new AtomicInteger();
          Raw.serveBulkReads(
              nodes.server(),
              ROUTE,
              offer -> {
                if (reads.incrementAndGet() > 1) {
                  throw new IllegalStateException("once only");
                }
                BodySource source = new ArraySource(PAYLOAD, 0, PAYLOAD.length);
                return CompletableFuture.completedStage(
                    BulkSource.withHeaders(Headers.decode(ANSWERED), source));
              });
          Ran first = run(nodes);
          assertArrayEquals(ANSWERED, await(nodes, first.headers()).encode());
          assertArrayEquals(PAYLOAD, await(nodes, first.bytes()).toArray());
          assertArrayEquals(ANSWERED, await(nodes, first.receipt()).headers().encode());

          Ran second = run(nodes);
          assertFailed(nodes, CallOutcome.REFUSED, "once only", second.headers());
          assertFailed(nodes, CallOutcome.REFUSED, "once only", second.receipt());
          assertFailed(nodes, CallOutcome.REFUSED, "once only", second.bytes());
          Remains.awaitNone(nodes, world);
        });
  }

  /** A source with no bytes yet, and without an end. */
  private static final class Silent implements BodySource {
    @Override
    public long lengthBytes() {
      return UNKNOWN_LENGTH;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      return 0;
    }

    @Override
    public void close() {}
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldTellTheHeadersOfAReadBeforeThereIsAByte(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          serveReads(nodes, BulkSource.withHeaders(Headers.decode(ANSWERED), new Silent()));
          Ran pending = run(nodes);

          assertArrayEquals(ANSWERED, await(nodes, pending.headers()).encode());
          assertFalse(pending.bytes().toCompletableFuture().isDone(), "there are no bytes");

          pending.receipt().toCompletableFuture().cancel(true);
          assertThrows(ExecutionException.class, () -> await(nodes, pending.bytes()));
          Remains.awaitNone(nodes, world);
        });
  }

  /** The results of a read as a stream. */
  private record Ran(
      CompletionStage<Headers> headers,
      CompletionStage<BulkReceipt> receipt,
      CompletionStage<ByteString> bytes) {}

  private static Ran run(NodePair nodes) {
    AtomicBoolean hasBytes = new AtomicBoolean();
    Pair<Pair<CompletionStage<Headers>, Call<BulkReceipt>>, CompletionStage<ByteString>> ran =
        Raw.bulkSourceWithHeaders(nodes.peer(), ROUTE, TransferOptions.DEFAULTS)
            .map(
                bytes -> {
                  hasBytes.set(true);
                  return bytes;
                })
            .toMat(Sink.fold(ByteString.emptyByteString(), ByteString::concat), Keep.both())
            .run(materializer(nodes.client()));
    CompletionStage<Headers> headers =
        ran.first()
            .first()
            .thenApply(
                bytes -> {
                  assertFalse(hasBytes.get(), "bytes came ahead of the headers");
                  return bytes;
                });
    return new Ran(headers, ran.first().second(), ran.second());
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldEndAReadAtBothSidesWhoseReceiverDoesNotWantIt(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          Watched source = new Watched();
          serveReads(nodes, source);
          assertFailed(
              nodes,
              CallOutcome.TARGET_FAILED,
              "no place",
              Raw.bulkRead(
                  nodes.peer(),
                  ROUTE,
                  offer -> {
                    throw new IllegalStateException("no place");
                  },
                  TransferOptions.DEFAULTS));
          assertTrue(nodes.awaitUntil(source.closed::get), "the source is open");
          Remains.awaitNone(nodes, world);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldAbortATargetThatIsNamedTooLate(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          serveReads(nodes, new ArraySource(PAYLOAD, 0, PAYLOAD.length));
          AtomicBoolean asked = new AtomicBoolean();
          CompletableFuture<BodyTarget> named = new CompletableFuture<>();
          CompletableFuture<BulkReceipt> read =
              Raw.bulkRead(
                  nodes.peer(),
                  ROUTE,
                  offer -> {
                    asked.set(true);
                    return named;
                  },
                  TransferOptions.DEFAULTS);
          assertTrue(nodes.awaitUntil(asked::get), "the receiver was not asked");
          read.cancel(true);
          Remains.awaitNone(nodes, world);
          BodyTest.Collector late = new BodyTest.Collector();
          named.complete(late);

          assertFalse(nodes.await(late.end), "the target was not aborted");
          assertEquals(0, late.bytes.size());
        });
  }

  /** A handler of calls serves a read, too: the answer arrives as a whole. */
  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldGiveTheHeadersOfAnAnswerInAFrame(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          byte[] bytes = "a few".getBytes(StandardCharsets.UTF_8);
          Raw.serve(
              nodes.server(),
              ROUTE,
              call -> CompletableFuture.completedStage(new UnaryResponse(ANSWERED, bytes)));
          BodyTest.Collector read = new BodyTest.Collector();
          BulkReceipt receipt =
              nodes.await(
                  Raw.bulkRead(
                      nodes.peer(),
                      ROUTE,
                      offer -> {
                        assertArrayEquals(ANSWERED, offer.headers().encode());
                        assertEquals(bytes.length, offer.lengthBytes());
                        return CompletableFuture.completedStage(read);
                      },
                      TransferOptions.DEFAULTS));
          assertArrayEquals(ANSWERED, receipt.headers().encode());
          assertArrayEquals(bytes, read.bytes.toByteArray());
          Remains.awaitNone(nodes, world);
        });
  }
}
