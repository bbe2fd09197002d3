package io.millrace.api.bulk;

import io.millrace.actor.body.BodySource;
import io.millrace.actor.body.LentBytes;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A source that answers a read with headers.
 *
 * @param headers ahead of the bytes
 * @param source where the bytes come from
 */
record AnsweringSource(byte[] headers, BodySource source) implements BodySource {
  @Override
  public byte[] responseHeaders() {
    return headers;
  }

  @Override
  public long lengthBytes() {
    return source.lengthBytes();
  }

  @Override
  public void start(Runnable resume) {
    source.start(resume);
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    return source.read(into, offset, length);
  }

  @Override
  public @Nullable LentBytes lend(int most) throws IOException {
    return source.lend(most);
  }

  @Override
  public void close() {
    source.close();
  }
}
