package io.millrace.samples.served;

import io.millrace.api.CallContext;
import io.millrace.api.Route;
import io.millrace.api.Transport;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/** The routes of a serving node that take or give streams of {@link StreamElements}. */
public final class ServedStreams {
  /** Gives as many elements, as long, as the payload says: two big-endian ints. */
  public static final Route<ByteString, ByteString> SOURCE = Route.bytes("stream-source");

  /** Checks every element and answers with their number and bytes, two big-endian longs. */
  public static final Route<ByteString, ByteString> SINK = Route.bytes("stream-sink");

  /** Gives back each element, and the headers. */
  public static final Route<ByteString, ByteString> ECHO = Route.bytes("stream-echo");

  /** Bytes; a peer must not choose the size of this node's allocations. */
  private static final int LONGEST_ELEMENT = 64 << 20;

  private ServedStreams() {}

  static void serve(Transport transport) {
    Materializer materializer = transport.materializer();
    transport.serveStreamingResponse(SOURCE, ServedStreams::source);
    transport.serveStreamingRequest(
        SINK, (elements, context) -> sink(elements, context, materializer));
    transport.serveBidirectional(
        ECHO,
        (elements, context) -> {
          context.answerHeaders(context.headers());
          return elements;
        });
  }

  /** The request of {@link #SOURCE}: the number of elements, each of {@code length} bytes. */
  public static ByteString request(int count, int length) {
    return ByteString.fromArrayUnsafe(
        ByteBuffer.allocate(2 * Integer.BYTES).putInt(count).putInt(length).array());
  }

  private static Source<ByteString, NotUsed> source(ByteString asked, CallContext context) {
    if (asked.length() != 2 * Integer.BYTES) {
      throw new IllegalArgumentException("stream-source wants a number and a length as two ints");
    }
    ByteBuffer request = asked.asByteBuffer();
    int count = request.getInt();
    int length = request.getInt();
    if (count < 0 || length < 0 || length > LONGEST_ELEMENT) {
      throw new IllegalArgumentException(
          "stream-source cannot give " + count + " elements of " + length + " bytes");
    }
    context.answerHeaders(context.headers());
    return Source.range(0, count - 1)
        .map(number -> ByteString.fromArrayUnsafe(StreamElements.element(number, length)));
  }

  private static CompletionStage<ByteString> sink(
      Source<ByteString, NotUsed> elements, CallContext context, Materializer materializer) {
    context.answerHeaders(context.headers());
    StreamElements.Check check = new StreamElements.Check();
    return elements
        .runForeach(
            element -> {
              if (!check.isNext(element.toArrayUnsafe())) {
                throw new IllegalArgumentException(
                    "element " + (check.count() - 1) + " differs from the sent element");
              }
            },
            materializer)
        .thenApply(done -> ByteString.fromArrayUnsafe(check.summary()));
  }
}
