package io.millrace.api;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.stream.javadsl.Source;

/**
 * What answers a stream. The source is materialized once, in the transport's actor system, and
 * asked for no more than the caller takes. If it fails, the caller's stream fails with {@code
 * HANDLER_FAILED} and the message's text. If the caller wants no more responses, or is lost, the
 * source is cancelled.
 *
 * @param headers bytes that travel ahead of the elements, of which none is asked for before they
 *     are there; if the stage fails, the caller's stream fails so, and with it the requests that
 *     were not taken; a {@link CompletableFuture} is cancelled if the source is cancelled before
 * @param elements the responses; their arrays must not be changed afterwards
 */
record StreamingResponse(CompletionStage<byte[]> headers, Source<byte[], ?> elements) {
  private static final byte[] NO_BYTES = {};

  /** Neither may be null. */
  public StreamingResponse {
    Objects.requireNonNull(headers, "headers");
    Objects.requireNonNull(elements, "elements");
  }

  /** A response whose headers are known, and must not be changed afterwards. */
  public StreamingResponse(byte[] headers, Source<byte[], ?> elements) {
    this(CompletableFuture.completedFuture(Objects.requireNonNull(headers, "headers")), elements);
  }

  /** A response without headers. */
  public static StreamingResponse of(Source<byte[], ?> elements) {
    return new StreamingResponse(NO_BYTES, elements);
  }
}
