package io.millrace.api;

import java.util.Objects;
import org.apache.pekko.stream.javadsl.Source;

/**
 * What answers a stream, encoded element by element as it is asked for; see {@link
 * StreamingResponse}.
 *
 * @param headers bytes that travel ahead of the elements
 * @param elements the responses
 */
public record TypedStreamingResponse<R>(byte[] headers, Source<R, ?> elements) {
  private static final byte[] NO_BYTES = {};

  /** Neither may be null. */
  public TypedStreamingResponse {
    Objects.requireNonNull(headers, "headers");
    Objects.requireNonNull(elements, "elements");
  }

  /** A response without headers. */
  public static <R> TypedStreamingResponse<R> of(Source<R, ?> elements) {
    return new TypedStreamingResponse<>(NO_BYTES, elements);
  }
}
