package io.millrace.samples.file;

import io.millrace.transfer.BodySource;
import io.millrace.transfer.Headers;
import io.millrace.transfer.LentBytes;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The first bytes of another source, which has at least as many. */
public final class FirstBytes implements BodySource {
  private final BodySource source;
  private final long lengthBytes;
  private long left;

  /** The first {@code lengthBytes} of {@code source}. */
  public FirstBytes(BodySource source, long lengthBytes) {
    this.source = source;
    this.lengthBytes = lengthBytes;
    left = lengthBytes;
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
    return lengthBytes;
  }

  @Override
  public void start(Runnable resume) {
    source.start(resume);
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (left == 0) {
      return -1;
    }
    int read = source.read(into, offset, (int) Math.min(length, left));
    left -= Math.max(0, read);
    return read;
  }

  @Override
  public @Nullable LentBytes lend(int most) throws IOException {
    LentBytes lent = left == 0 ? null : source.lend((int) Math.min(most, left));
    left -= lent == null ? 0 : lent.length();
    return lent;
  }

  @Override
  public void close() {
    source.close();
  }
}
