package io.millrace.body;

import io.millrace.transfer.BodySource;
import io.millrace.transfer.LentBytes;
import org.jspecify.annotations.Nullable;

/** A payload in an array, unchanged until the end of the transfer. */
public final class ArraySource implements BodySource {
  private final byte[] bytes;
  private final int end;
  private final LentBytes lent = new LentBytes();
  private int at;

  /** {@code length} bytes from {@code offset} on. */
  public ArraySource(byte[] bytes, int offset, int length) {
    this.bytes = bytes;
    this.at = offset;
    this.end = offset + length;
  }

  @Override
  public long lengthBytes() {
    return (long) end - at;
  }

  @Override
  public int read(byte[] into, int offset, int length) {
    if (at == end) {
      return -1;
    }
    int count = Math.min(length, end - at);
    System.arraycopy(bytes, at, into, offset, count);
    at += count;
    return count;
  }

  @Override
  public @Nullable LentBytes lend(int most) {
    int count = Math.min(most, end - at);
    if (count == 0) {
      return null;
    }
    lent.set(bytes, at, count);
    at += count;
    return lent;
  }

  @Override
  public void close() {
    // The array belongs to the application.
  }
}
