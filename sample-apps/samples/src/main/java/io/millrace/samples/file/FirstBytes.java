package io.millrace.samples.file;

import io.millrace.body.ForwardingSource;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.LentBytes;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The first bytes of another source with at least as many bytes. */
public final class FirstBytes extends ForwardingSource {
  private final long lengthBytes;
  private long left;

  /** The first {@code lengthBytes} of {@code source}. */
  public FirstBytes(BodySource source, long lengthBytes) {
    super(source);
    this.lengthBytes = lengthBytes;
    left = lengthBytes;
  }

  @Override
  public long lengthBytes() {
    return lengthBytes;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (left == 0) {
      return -1;
    }
    int read = super.read(into, offset, (int) Math.min(length, left));
    left -= Math.max(0, read);
    return read;
  }

  @Override
  public @Nullable LentBytes lend(int most) throws IOException {
    LentBytes lent = left == 0 ? null : super.lend((int) Math.min(most, left));
    left -= lent == null ? 0 : lent.length();
    return lent;
  }
}
