package io.millrace.api;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.stream.javadsl.Source;

/**
 * What answers a stream, encoded element by element as it is asked for; see {@link
 * StreamingResponse}.
 *
 * @param headers bytes that travel ahead of the elements, of which none is asked for before they
 *     are there; if the stage fails, the caller's stream fails so
 * @param elements the responses
 */
public record TypedStreamingResponse<R>(CompletionStage<byte[]> headers, Source<R, ?> elements) {
  private static final byte[] NO_BYTES = {};

  /** Neither may be null. */
  public TypedStreamingResponse {
    Objects.requireNonNull(headers, "headers");
    Objects.requireNonNull(elements, "elements");
  }

  /** A response whose headers are known, and must not be changed afterwards. */
  public TypedStreamingResponse(byte[] headers, Source<R, ?> elements) {
    this(CompletableFuture.completedFuture(Objects.requireNonNull(headers, "headers")), elements);
  }

  /** A response without headers. */
  public static <R> TypedStreamingResponse<R> of(Source<R, ?> elements) {
    return new TypedStreamingResponse<>(NO_BYTES, elements);
  }
}
