package io.millrace.api;

import static io.millrace.api.StreamChecks.await;
import static io.millrace.api.StreamChecks.awaitNothingOpen;
import static io.millrace.api.StreamChecks.materializer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.millrace.api.codec.Codec;
import io.millrace.api.codec.jackson.JacksonCodec;
import io.millrace.transfer.Headers;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** One application with every encoding of messages, in every pattern and every world. */
@Timeout(120)
class CodecsTest {
  private static final int COUNT = 120;
  private static final TransferOptions OPTIONS =
      TransferOptions.DEFAULTS.withHeaders(
          Headers.of("trace", "a1")
              .with("Trace", "b\u00fc")
              .withBinary("key-bin", ByteString.fromArray(new byte[] {0, -1})));

  /** A value with its number; {@code text} has every length up to a few datagrams. */
  record Reading(int number, String text) {
    static Reading of(int number) {
      int length = number % 40 == 39 ? 20_000 : number * number % 997;
      return new Reading(number, "m".repeat(length));
    }
  }

  /** A layout of the application's own. */
  static final class ReadingCodec implements Codec<Reading> {
    @Override
    public ByteString encode(Reading value) {
      ByteBuffer message = ByteBuffer.allocate(Integer.BYTES + value.text().length());
      message.putInt(value.number());
      for (int i = 0; i < value.text().length(); i++) {
        message.put((byte) value.text().charAt(i));
      }
      return ByteString.fromArrayUnsafe(message.array());
    }

    @Override
    public Reading decode(ByteString message) {
      ByteBuffer buffer = message.asByteBuffer();
      int number = buffer.getInt();
      StringBuilder text = new StringBuilder();
      while (buffer.hasRemaining()) {
        text.append((char) buffer.get());
      }
      return new Reading(number, text.toString());
    }
  }

  /** The messages of the application, and the comparison of messages. */
  interface Encoding<T> {
    Codec<T> codec();

    T value(int number);

    default void assertValue(int number, T got) {
      assertEquals(value(number), got);
    }
  }

  private record Readings(Codec<Reading> codec) implements Encoding<Reading> {
    @Override
    public Reading value(int number) {
      return Reading.of(number);
    }

    @Override
    public String toString() {
      return codec.getClass().getSimpleName();
    }
  }

  private record Bytes(Codec<ByteString> codec) implements Encoding<ByteString> {
    @Override
    public ByteString value(int number) {
      return ByteString.fromArray(StreamChecks.element(number));
    }

    @Override
    public String toString() {
      return "bytes";
    }
  }

  private static Stream<Arguments> everywhere(TestInfo test) {
    List<Encoding<?>> encodings =
        List.of(
            new Bytes(Codec.bytes()),
            new Readings(JacksonCodec.of(Reading.class)),
            new Readings(new ReadingCodec()));
    return Combinations.dealt(encodings.toArray(), PatternWorld.all(test));
  }

  /** The application: one node serves all patterns, the other node uses all patterns. */
  private record Application<T>(NodePair nodes, Encoding<T> encoding) {
    static <T> Application<T> of(NodePair nodes, Encoding<T> encoding) {
      return new Application<>(nodes, encoding);
    }

    private Route<T, T> route(String name) {
      return Route.of(name, encoding.codec(), encoding.codec());
    }

    void serve() {
      Transport server = nodes.server();
      server.serve(
          route("one"),
          (value, context) -> {
            encoding.assertValue(7, value);
            context.answerHeaders(context.headers());
            return done(encoding.value(8));
          });
      server.serveStreamingResponse(
          route("down"),
          (value, context) -> {
            encoding.assertValue(7, value);
            context.answerHeaders(context.headers());
            return values();
          });
      server.serveStreamingRequest(
          route("up"),
          (requests, context) ->
              requests
                  .runWith(Sink.seq(), materializer(server))
                  .thenApply(
                      got -> {
                        assertAll(got);
                        context.answerHeaders(context.headers());
                        return encoding.value(8);
                      }));
      server.serveBidirectional(
          route("both"),
          (requests, context) -> {
            context.answerHeaders(context.headers());
            return requests;
          });
    }

    void use() throws Exception {
      Peer peer = nodes.peer();
      TransferOptions options = OPTIONS;

      assertAnswer(await(nodes, peer.unary(route("one"), encoding.value(7), options).response()));
      assertStream(peer.streamingResponseWithHeaders(route("down"), encoding.value(7), options));
      assertAnswer(
          await(
              nodes,
              values()
                  .runWith(
                      peer.streamingRequest(route("up"), options), materializer(nodes.client()))
                  .response()));
      assertStream(
          values().viaMat(peer.bidirectionalWithHeaders(route("both"), options), Keep.right()));
      usePlain(peer);
    }

    /** The same without headers and options. */
    private void usePlain(Peer peer) throws Exception {
      Materializer materializer = materializer(nodes.client());
      encoding.assertValue(8, await(nodes, peer.unary(route("one"), encoding.value(7))));
      assertAll(
          await(
              nodes,
              peer.streamingResponse(route("down"), encoding.value(7))
                  .runWith(Sink.seq(), materializer)));
      encoding.assertValue(
          8, await(nodes, values().runWith(peer.streamingRequest(route("up")), materializer)));
      assertAll(
          await(
              nodes,
              values().via(peer.bidirectional(route("both"))).runWith(Sink.seq(), materializer)));
      List<T> answers =
          await(
              nodes,
              Source.from(Collections.nCopies(5, encoding.value(7)))
                  .via(peer.unaryFlow(route("one"), 2))
                  .runWith(Sink.seq(), materializer));
      assertEquals(5, answers.size());
    }

    private Source<T, ?> values() {
      return Source.range(0, COUNT - 1).map(encoding::value);
    }

    private void assertAll(List<T> got) {
      assertEquals(COUNT, got.size());
      for (int i = 0; i < COUNT; i++) {
        encoding.assertValue(i, got.get(i));
      }
    }

    private void assertAnswer(Response<T> response) {
      assertEquals(OPTIONS.headers(), response.headers());
      encoding.assertValue(8, response.value());
    }

    private void assertStream(Source<T, CompletionStage<Headers>> responses) throws Exception {
      Pair<CompletionStage<Headers>, CompletionStage<List<T>>> got =
          responses.toMat(Sink.seq(), Keep.both()).run(materializer(nodes.client()));
      assertAll(await(nodes, got.second()));
      assertEquals(OPTIONS.headers(), await(nodes, got.first()));
    }
  }

  private static <T> CompletionStage<T> done(T value) {
    return CompletableFuture.completedFuture(value);
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void shouldCarryValuesInEveryPattern(Encoding<?> encoding, PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          Application<?> application = Application.of(nodes, encoding);
          application.serve();
          application.use();
          awaitNothingOpen(nodes);
        });
  }

  @Test
  void shouldCopyNothingForBytes() throws Exception {
    ByteString message = ByteString.fromArrayUnsafe(new byte[] {1, 2, 3});

    assertSame(message, Codec.bytes().encode(message));
    assertSame(message, Codec.bytes().decode(message));
  }

  @Test
  void shouldEncodeARequestOnceHoweverOftenItIsStreamed() throws Exception {
    List<Integer> encoded = new ArrayList<>();
    Codec<Integer> counting =
        new Codec<>() {
          @Override
          public ByteString encode(Integer value) {
            encoded.add(value);
            return ByteString.fromArray(new byte[] {value.byteValue()});
          }

          @Override
          public Integer decode(ByteString message) {
            return (int) message.apply(0);
          }
        };
    PatternWorld.SIMULATED.run(
        nodes -> {
          Route<Integer, Integer> route = Route.of("counted", counting, counting);
          nodes.server().serveStreamingResponse(route, value -> Source.repeat(value).take(3));
          Source<Integer, ?> source = nodes.peer().streamingResponse(route, 5);
          for (int i = 0; i < 2; i++) {
            List<Integer> got =
                await(nodes, source.runWith(Sink.seq(), materializer(nodes.client())));
            assertEquals(List.of(5, 5, 5), got);
          }
          assertEquals(Collections.nCopies(1 + 3 + 3, 5), encoded);
        });
  }
}
