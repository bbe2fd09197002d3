package io.millrace.body;

import io.millrace.transfer.BodySource;
import io.millrace.transfer.Headers;
import io.millrace.transfer.LentBytes;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A source that forwards to another source, for subclasses to change in part. */
public abstract class ForwardingSource implements BodySource {
  private final BodySource source;

  /** Forwards every call to {@code source}. */
  protected ForwardingSource(BodySource source) {
    this.source = source;
  }

  @Override
  public boolean waitsForDevice() {
    return source.waitsForDevice();
  }

  @Override
  public Headers responseHeaders() {
    return source.responseHeaders();
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
