package io.millrace.samples.cli;

import io.millrace.api.StreamingCall;
import io.millrace.api.StreamingResponse;
import io.millrace.api.Transport;
import io.millrace.api.UnaryCall;
import io.millrace.api.UnaryResponse;
import io.millrace.wire.Route;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.javadsl.Source;

/** The routes of a serving node that take or give streams of {@link StreamElements}. */
final class ServedStreams {
  /** Gives as many elements, as long, as the payload says: two big-endian ints. */
  static final Route SOURCE = Route.of("stream-source");

  /** Checks every element and answers with their number and bytes, two big-endian longs. */
  static final Route SINK = Route.of("stream-sink");

  /** Gives back each element, and the headers. */
  static final Route ECHO = Route.of("stream-echo");

  /** Bytes; a peer must not make this node allocate what it likes. */
  private static final int LONGEST_ELEMENT = 64 << 20;

  private ServedStreams() {}

  static void serve(Transport transport) {
    Materializer materializer = transport.materializer();
    transport.serveStreamingResponse(SOURCE, ServedStreams::source);
    transport.serveStreamingRequest(SINK, call -> sink(call, materializer));
    transport.serveBidirectional(
        ECHO, call -> new StreamingResponse(call.headers(), call.elements()));
  }

  /** The request of {@link #SOURCE}. */
  static byte[] request(int count, int length) {
    return ByteBuffer.allocate(2 * Integer.BYTES).putInt(count).putInt(length).array();
  }

  private static StreamingResponse source(UnaryCall call) {
    if (call.payload().length != 2 * Integer.BYTES) {
      throw new IllegalArgumentException("stream-source wants a number and a length as two ints");
    }
    ByteBuffer request = ByteBuffer.wrap(call.payload());
    int count = request.getInt();
    int length = request.getInt();
    if (count < 0 || length < 0 || length > LONGEST_ELEMENT) {
      throw new IllegalArgumentException(
          "stream-source cannot give " + count + " elements of " + length + " bytes");
    }
    return new StreamingResponse(
        call.headers(),
        Source.range(0, count - 1).map(number -> StreamElements.element(number, length)));
  }

  private static CompletionStage<UnaryResponse> sink(
      StreamingCall call, Materializer materializer) {
    StreamElements.Check check = new StreamElements.Check();
    return call.elements()
        .runForeach(
            element -> {
              if (!check.isNext(element)) {
                throw new IllegalArgumentException(
                    "element " + (check.count() - 1) + " is not what was sent");
              }
            },
            materializer)
        .thenApply(done -> new UnaryResponse(call.headers(), check.summary()));
  }
}
