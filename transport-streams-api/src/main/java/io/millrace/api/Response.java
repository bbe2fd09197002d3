package io.millrace.api;

import io.millrace.transfer.Headers;
import java.util.Objects;

/**
 * An answer with its headers; see {@link Call#response}.
 *
 * @param value the answer
 * @param headers the headers that the handler sent ahead of the answer
 */
public record Response<R>(R value, Headers headers) {
  /** Checks that both are not null. */
  public Response {
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(headers, "headers");
  }
}
