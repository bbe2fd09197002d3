package io.millrace.api.actor;

import io.millrace.api.UnaryResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.apache.pekko.Done;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.OverflowStrategy;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.SinkQueueWithCancel;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.stream.javadsl.SourceQueueWithComplete;
import org.jspecify.annotations.Nullable;

/**
 * What an actor holds of one open stream; what the stream's pattern does not have is null.
 *
 * @param outgoing elements to the peer
 * @param incoming elements from the peer
 * @param headers of the peer's response, ahead of the elements
 * @param response the peer's one response
 * @param answer this side's one response
 * @param ownHeaders of this side's response, ahead of the elements
 */
record StreamEnds(
    @Nullable Outgoing outgoing,
    @Nullable Arriving incoming,
    @Nullable CompletionStage<byte[]> headers,
    @Nullable CompletionStage<UnaryResponse> response,
    @Nullable CompletableFuture<UnaryResponse> answer,
    @Nullable CompletableFuture<byte[]> ownHeaders) {
  /** Elements that an actor may have pushed before the stream took the first of them. */
  static final int WINDOW = 16;

  /**
   * Elements that are offered.
   *
   * @param over completes when all were taken or no more are wanted, and fails as the direction
   *     does
   */
  record Outgoing(SourceQueueWithComplete<byte[]> queue, CompletionStage<Done> over) {}

  /**
   * Elements that are pulled.
   *
   * @param over completes when all have come into the queue or no more are wanted, and fails as the
   *     direction does, whether anybody pulls or not
   */
  record Arriving(SinkQueueWithCancel<byte[]> queue, CompletionStage<Done> over) {}

  /** A source without a buffer: an offer completes when its element was taken. */
  static Source<byte[], Outgoing> source() {
    return Source.<byte[]>queue(0, OverflowStrategy.backpressure(), WINDOW)
        .watchTermination(Outgoing::new);
  }

  /** A sink that holds one element until it is pulled. */
  static Sink<byte[], Arriving> sink() {
    return Flow.<byte[]>create()
        .watchTermination(Keep.right())
        .toMat(
            Sink.<byte[]>queue().withAttributes(Attributes.inputBuffer(1, 1)),
            (over, queue) -> new Arriving(queue, over));
  }

  /** The peer's response is not wanted; ends the call, and with it what is pushed. */
  void cancelResponse() {
    if (response != null) {
      response.toCompletableFuture().cancel(false);
    }
  }

  /**
   * There will be no response to what has failed, or has no owner; ends the call. What is pushed
   * has ended before, and after it the executor's turn is awaited, so that the peer hears why.
   */
  void failResponse(Throwable failure, Executor executor) {
    if (response == null || outgoing == null) {
      return;
    }
    var pending = response.toCompletableFuture();
    var _ =
        outgoing
            .over()
            .whenCompleteAsync((done, failed) -> pending.completeExceptionally(failure), executor);
  }

  /** Ends what is open, so that the peer is told; harmless on what has ended. */
  void end(Throwable failure) {
    if (outgoing != null) {
      outgoing.queue().fail(failure);
    }
    if (incoming != null) {
      incoming.queue().cancel();
    }
    if (answer != null) {
      answer.completeExceptionally(failure);
    }
  }
}
