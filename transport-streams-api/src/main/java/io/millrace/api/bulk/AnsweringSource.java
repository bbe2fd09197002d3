package io.millrace.api.bulk;

import io.millrace.body.ForwardingSource;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.Headers;

/** A source that answers a read with headers. */
final class AnsweringSource extends ForwardingSource {
  private final Headers headers;

  /** Creates a source with these headers ahead of the bytes of {@code source}. */
  AnsweringSource(Headers headers, BodySource source) {
    super(source);
    this.headers = headers;
  }

  @Override
  public Headers responseHeaders() {
    return headers;
  }
}
