package io.millrace.api;

import io.millrace.transfer.Headers;
import java.util.Objects;

/**
 * An answer with what travelled ahead of it; see {@link Call#response}.
 *
 * @param value the answer
 * @param headers what the handler put ahead of it
 */
public record Response<R>(R value, Headers headers) {
  /** Neither may be null. */
  public Response {
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(headers, "headers");
  }
}
