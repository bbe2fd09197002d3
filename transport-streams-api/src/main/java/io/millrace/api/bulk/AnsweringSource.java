package io.millrace.api.bulk;

import io.millrace.actor.body.BodySource;
import io.millrace.actor.body.ForwardingSource;

/** A source that answers a read with headers. */
final class AnsweringSource extends ForwardingSource {
  private final byte[] headers;

  /** These headers ahead of the bytes of {@code source}. */
  AnsweringSource(byte[] headers, BodySource source) {
    super(source);
    this.headers = headers;
  }

  @Override
  public byte[] responseHeaders() {
    return headers;
  }
}
