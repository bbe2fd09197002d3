package io.millrace.samples.cli;

import io.millrace.api.Peer;
import io.millrace.api.TransferOptions;
import io.millrace.samples.served.ServedStreams;
import io.millrace.samples.served.StreamElements;
import java.util.Arrays;
import java.util.concurrent.CompletionStage;
import java.util.function.LongConsumer;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/**
 * Streams to one peer, one after the other, each verified. A single thread at a time may use the
 * load.
 */
final class StreamLoad {
  private final LoadPlan plan;
  private final Peer peer;
  private final Materializer materializer;
  private final TransferOptions options;
  private final LongConsumer moved;

  /**
   * A load of the plan's pattern.
   *
   * @param moved receives the payload bytes of each element: of a streaming request at sending,
   *     otherwise at arrival
   */
  StreamLoad(LoadPlan plan, Peer peer, Materializer materializer, LongConsumer moved) {
    this.plan = plan;
    this.peer = peer;
    this.materializer = materializer;
    this.moved = moved;
    options = TransferOptions.DEFAULTS.withPriority(plan.priority());
  }

  /** Opens a stream; the stage tells at the end whether all elements were right. */
  CompletionStage<Boolean> run() {
    return switch (plan.pattern()) {
      case STREAMING_RESPONSE -> check(peer.streamingResponse(plan.route(), request(), options));
      case STREAMING_REQUEST -> send();
      case BIDIRECTIONAL -> check(elements().via(peer.bidirectional(plan.route(), options)));
      default -> throw new IllegalStateException(plan.pattern() + " is no stream of elements");
    };
  }

  private ByteString request() {
    return ServedStreams.request(plan.elements(), length());
  }

  private CompletionStage<Boolean> send() {
    byte[] expected = StreamElements.summaryOf(plan.elements(), plan.elements() * plan.sizeBytes());
    return elements()
        .map(
            element -> {
              moved.accept(element.length());
              return element;
            })
        .runWith(peer.streamingRequest(plan.route(), options), materializer)
        .thenApply(response -> Arrays.equals(expected, response.toArrayUnsafe()));
  }

  private CompletionStage<Boolean> check(Source<ByteString, ?> responses) {
    StreamElements.Check check = new StreamElements.Check();
    return responses
        .takeWhile(
            element -> {
              moved.accept(element.length());
              return check.isNext(element.toArrayUnsafe());
            })
        .run(materializer)
        .thenApply(done -> check.isWhole(plan.elements(), length()));
  }

  private Source<ByteString, NotUsed> elements() {
    return Source.range(0, plan.elements() - 1)
        .map(number -> ByteString.fromArrayUnsafe(StreamElements.element(number, length())));
  }

  private int length() {
    return Math.toIntExact(plan.sizeBytes());
  }
}
