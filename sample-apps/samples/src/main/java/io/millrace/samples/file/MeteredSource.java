package io.millrace.samples.file;

import io.millrace.body.ForwardingSource;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.LentBytes;
import java.io.IOException;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** Counts the bytes read from another source and the time, and digests the bytes if wanted. */
public final class MeteredSource extends ForwardingSource {
  private final @Nullable MessageDigest digest;
  private volatile long bytes;
  private volatile long busyNs;

  /** Read bytes also go to {@code digest}, if given. */
  public MeteredSource(BodySource source, @Nullable MessageDigest digest) {
    super(source);
    this.digest = digest;
  }

  /** Bytes read so far; any thread. */
  public long bytes() {
    return bytes;
  }

  /** The time in calls of the other source so far, without digests; any thread. */
  public long busyNs() {
    return busyNs;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    long startNs = System.nanoTime();
    int read = super.read(into, offset, length);
    onBusySince(startNs);
    if (read > 0) {
      onRead(into, offset, read);
    }
    return read;
  }

  @Override
  public @Nullable LentBytes lend(int most) throws IOException {
    long startNs = System.nanoTime();
    LentBytes lent = super.lend(most);
    onBusySince(startNs);
    if (lent != null) {
      onRead(lent.array(), lent.offset(), lent.length());
    }
    return lent;
  }

  private void onBusySince(long startNs) {
    long sum = busyNs + System.nanoTime() - startNs;
    busyNs = sum;
  }

  private void onRead(byte[] read, int offset, int length) {
    if (digest != null) {
      digest.update(read, offset, length);
    }
    long sum = bytes + length;
    bytes = sum;
  }
}
