package io.millrace.samples.file;

import io.millrace.body.ForwardingSource;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.LentBytes;
import java.io.IOException;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** Counts the bytes read from another source, and digests the bytes if wanted. */
public final class MeteredSource extends ForwardingSource {
  private final @Nullable MessageDigest digest;
  private volatile long bytes;

  /** Read bytes also go to {@code digest}, if given. */
  public MeteredSource(BodySource source, @Nullable MessageDigest digest) {
    super(source);
    this.digest = digest;
  }

  /** Bytes read so far; any thread. */
  public long bytes() {
    return bytes;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    int read = super.read(into, offset, length);
    if (read > 0) {
      onRead(into, offset, read);
    }
    return read;
  }

  @Override
  public @Nullable LentBytes lend(int most) throws IOException {
    LentBytes lent = super.lend(most);
    if (lent != null) {
      onRead(lent.array(), lent.offset(), lent.length());
    }
    return lent;
  }

  private void onRead(byte[] read, int offset, int length) {
    if (digest != null) {
      digest.update(read, offset, length);
    }
    long sum = bytes + length;
    bytes = sum;
  }
}
