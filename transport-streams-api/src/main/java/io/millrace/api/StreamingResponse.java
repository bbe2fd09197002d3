package io.millrace.api;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.stream.javadsl.Source;

/**
 * The answer to a stream. The node materializes the source once, in the transport's actor system,
 * and demands no more responses than the caller takes. If the source fails, the caller's stream
 * fails with {@code HANDLER_FAILED} and the message's text. If the caller wants no more responses,
 * or is lost, the node cancels the source.
 *
 * @param headers bytes that travel ahead of the elements; the node demands no element before the
 *     headers are there. If the stage fails, the caller's stream and the requests not yet taken
 *     fail with the same failure. If the source is cancelled first, the node cancels a {@link
 *     CompletableFuture} of headers
 * @param elements the responses; the handler must not change the arrays afterwards
 */
record StreamingResponse(CompletionStage<byte[]> headers, Source<byte[], ?> elements) {
  private static final byte[] NO_BYTES = {};

  /** Checks that both are not null. */
  public StreamingResponse {
    Objects.requireNonNull(headers, "headers");
    Objects.requireNonNull(elements, "elements");
  }

  /** Creates a response with known headers; the handler must not change the array afterwards. */
  public StreamingResponse(byte[] headers, Source<byte[], ?> elements) {
    this(CompletableFuture.completedFuture(Objects.requireNonNull(headers, "headers")), elements);
  }

  /** Returns a response without headers. */
  public static StreamingResponse of(Source<byte[], ?> elements) {
    return new StreamingResponse(NO_BYTES, elements);
  }
}
