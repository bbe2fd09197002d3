package io.millrace.api;

import static io.millrace.api.StreamChecks.assertElements;
import static io.millrace.api.StreamChecks.await;
import static io.millrace.api.StreamChecks.element;
import static io.millrace.api.StreamChecks.elements;
import static io.millrace.api.StreamChecks.materializer;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.bulk.BulkReceipt;
import io.millrace.api.bulk.BulkReceiver;
import io.millrace.api.bulk.BulkSource;
import io.millrace.api.bulk.BulkTarget;
import io.millrace.body.ArraySource;
import io.millrace.transfer.BodySource;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One property for every pattern, every combination of headers and every driver: each side sees all
 * headers, elements and bytes of the other side, in order and once, the headers first; and no
 * transfer stays open.
 */
@Timeout(120)
class PatternsTest {
  private static final RouteId ROUTE = RouteId.of("pattern");
  private static final int[] COUNTS = {0, 1, 16, 17, 64, 65, 250};
  private static final int[] LENGTHS = {0, 1, 1_100, 9_000, 70_000, 300_000};
  private static final byte[] ASKED = BodyTest.random(700, 1);
  private static final byte[] ANSWERED = BodyTest.random(900, 2);
  private static final byte[] NO_BYTES = {};

  /** The sides that send headers. */
  enum Headers {
    NONE,
    REQUEST,
    RESPONSE,
    BOTH;

    byte[] request() {
      return this == REQUEST || this == BOTH ? ASKED : NO_BYTES;
    }

    byte[] response() {
      return this == RESPONSE || this == BOTH ? ANSWERED : NO_BYTES;
    }

    TransferOptions options() {
      return TransferOptions.DEFAULTS.withHeaders(request());
    }
  }

  /** A pattern: serves the pattern once, and checks transfers of every size one after the other. */
  enum Pattern {
    UNARY {
      @Override
      void check(NodePair nodes, Headers headers) throws Exception {
        Raw.serve(
            nodes.server(),
            ROUTE,
            call -> {
              assertArrayEquals(headers.request(), call.headers());
              return done(new UnaryResponse(headers.response(), call.payload()));
            });
        for (int length : LENGTHS) {
          byte[] payload = BodyTest.random(length, length);
          UnaryRequest request = new UnaryRequest(ROUTE, payload, headers.options());

          UnaryResponse response = await(nodes, Raw.unary(nodes.peer(), request));

          assertArrayEquals(headers.response(), response.headers());
          assertArrayEquals(payload, response.payload());
        }
      }
    },
    STREAMING_RESPONSE {
      @Override
      void check(NodePair nodes, Headers headers) throws Exception {
        Raw.serveStreamingResponse(
            nodes.server(),
            ROUTE,
            call -> {
              assertArrayEquals(headers.request(), call.headers());
              int count = Integer.parseInt(new String(call.payload(), UTF_8));
              return new Raw.StreamingResponse(headers.response(), elements(count));
            });
        for (int count : COUNTS) {
          byte[] payload = Integer.toString(count).getBytes(UTF_8);
          AtomicBoolean hasElement = new AtomicBoolean();
          Pair<CompletionStage<byte[]>, CompletionStage<List<byte[]>>> got =
              Raw.streamingResponse(
                      nodes.peer(), new UnaryRequest(ROUTE, payload, headers.options()))
                  .mapMaterializedValue(opened -> ahead(opened, hasElement))
                  .map(element -> noted(element, hasElement))
                  .toMat(Sink.seq(), Keep.both())
                  .run(materializer(nodes.client()));

          assertElements(count, await(nodes, got.second()));
          assertArrayEquals(headers.response(), await(nodes, got.first()));
        }
      }
    },
    STREAMING_REQUEST {
      @Override
      void check(NodePair nodes, Headers headers) throws Exception {
        List<List<byte[]>> all = new ArrayList<>();
        Raw.serveStreamingRequest(
            nodes.server(),
            ROUTE,
            call -> {
              assertArrayEquals(headers.request(), call.headers());
              List<byte[]> got = new ArrayList<>();
              return call.elements()
                  .runForeach(got::add, materializer(nodes.server()))
                  .thenApply(
                      done -> {
                        all.add(got);
                        return new UnaryResponse(headers.response(), element(got.size()));
                      });
            });
        for (int count : COUNTS) {
          UnaryResponse response =
              await(
                  nodes,
                  elements(count)
                      .runWith(
                          Raw.streamingRequest(nodes.peer(), ROUTE, headers.options()),
                          materializer(nodes.client())));

          assertElements(count, all.removeLast());
          assertArrayEquals(headers.response(), response.headers());
          assertArrayEquals(element(count), response.payload());
        }
        assertEquals(List.of(), all);
      }
    },
    BIDIRECTIONAL {
      @Override
      void check(NodePair nodes, Headers headers) throws Exception {
        Raw.serveBidirectional(
            nodes.server(),
            ROUTE,
            call -> {
              assertArrayEquals(headers.request(), call.headers());
              return new Raw.StreamingResponse(headers.response(), call.elements());
            });
        for (int count : COUNTS) {
          AtomicBoolean hasElement = new AtomicBoolean();
          Pair<CompletionStage<byte[]>, CompletionStage<List<byte[]>>> got =
              elements(count)
                  .viaMat(Raw.bidirectional(nodes.peer(), ROUTE, headers.options()), Keep.right())
                  .mapMaterializedValue(opened -> ahead(opened, hasElement))
                  .map(element -> noted(element, hasElement))
                  .toMat(Sink.seq(), Keep.both())
                  .run(materializer(nodes.client()));

          assertElements(count, await(nodes, got.second()));
          assertArrayEquals(headers.response(), await(nodes, got.first()));
        }
      }
    },
    /**
     * A write with headers in the answer once the bytes are in place, and a read with headers ahead
     * of the bytes.
     */
    BULK {
      @Override
      void check(NodePair nodes, Headers headers) throws Exception {
        List<BodyTest.Collector> stored = new ArrayList<>();
        serve(nodes.server(), headers, stored);
        for (int length : LENGTHS) {
          byte[] bytes = BodyTest.random(length, length);
          ArraySource source = new ArraySource(bytes, 0, length);

          BulkReceipt written =
              await(nodes, Raw.bulkWrite(nodes.peer(), ROUTE, source, headers.options()));

          assertEquals(length, written.bytes());
          assertArrayEquals(headers.response(), written.headers().encode());
          assertArrayEquals(bytes, stored.getLast().bytes.toByteArray());
          checkRead(nodes, headers, bytes);
        }
      }

      private void checkRead(NodePair nodes, Headers headers, byte[] bytes) throws Exception {
        BodyTest.Collector read = new BodyTest.Collector();
        List<byte[]> ahead = new ArrayList<>();
        BulkReceiver receiver =
            offer -> {
              assertEquals(bytes.length, offer.lengthBytes());
              assertEquals(0, read.bytes.size(), "bytes came ahead of the headers");
              ahead.add(offer.headers().encode());
              return done(read);
            };

        BulkReceipt got =
            await(nodes, Raw.bulkRead(nodes.peer(), ROUTE, receiver, headers.options()));

        assertEquals(bytes.length, got.bytes());
        assertArrayEquals(headers.response(), got.headers().encode());
        assertEquals(1, ahead.size());
        assertArrayEquals(headers.response(), ahead.getFirst());
        assertArrayEquals(bytes, read.bytes.toByteArray());
      }

      private void serve(Transport server, Headers headers, List<BodyTest.Collector> stored) {
        Raw.serveBulkWrites(
            server,
            ROUTE,
            offer -> {
              assertArrayEquals(headers.request(), offer.headers().encode());
              BodyTest.Collector target = new BodyTest.Collector();
              stored.add(target);
              return done(
                  BulkTarget.withHeaders(
                      () -> io.millrace.transfer.Headers.decode(whenWhole(target, headers)),
                      target));
            });
        Raw.serveBulkReads(
            server,
            ROUTE,
            offer -> {
              assertArrayEquals(headers.request(), offer.headers().encode());
              byte[] bytes = stored.getLast().bytes.toByteArray();
              BodySource source = new ArraySource(bytes, 0, bytes.length);
              return done(
                  BulkSource.withHeaders(
                      io.millrace.transfer.Headers.decode(headers.response()), source));
            });
      }
    };

    abstract void check(NodePair nodes, Headers headers) throws Exception;
  }

  private static <T> CompletionStage<T> done(T value) {
    return CompletableFuture.completedFuture(value);
  }

  /** Returns the headers of the target's answer, known only after the target has completed. */
  private static byte[] whenWhole(BodyTest.Collector target, Headers headers) {
    assertTrue(target.end.isDone(), "the headers were asked for ahead of the end");
    return headers.response();
  }

  private static byte[] noted(byte[] element, AtomicBoolean hasElement) {
    hasElement.set(true);
    return element;
  }

  /** Returns the headers; checks that the headers do not arrive behind an element. */
  private static CompletionStage<byte[]> ahead(
      CompletionStage<byte[]> headers, AtomicBoolean hasElement) {
    return headers.thenApply(
        bytes -> {
          assertFalse(hasElement.get(), "an element came ahead of the headers");
          return bytes;
        });
  }

  private static Stream<Arguments> all(TestInfo test) {
    return Combinations.dealt(Pattern.values(), Headers.values(), PatternWorld.all(test));
  }

  @ParameterizedTest
  @MethodSource("all")
  void shouldCarryAllThatEachSideSays(Pattern pattern, Headers headers, PatternWorld world)
      throws Exception {
    world.run(
        nodes -> {
          pattern.check(nodes, headers);
          StreamChecks.awaitNothingOpen(nodes);
        });
  }
}
