package io.millrace.samples.cli;

import io.millrace.actor.body.BodySource;
import io.millrace.actor.body.LentBytes;
import java.io.IOException;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** Counts what is read from another source, and digests it if asked to. */
final class MeteredSource implements BodySource {
  private final BodySource source;
  private final @Nullable MessageDigest digest;
  private volatile long bytes;

  MeteredSource(BodySource source, @Nullable MessageDigest digest) {
    this.source = source;
    this.digest = digest;
  }

  /** Bytes read so far; any thread. */
  long bytes() {
    return bytes;
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
    int read = source.read(into, offset, length);
    if (read > 0) {
      onRead(into, offset, read);
    }
    return read;
  }

  @Override
  public @Nullable LentBytes lend(int most) throws IOException {
    LentBytes lent = source.lend(most);
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

  @Override
  public void close() {
    source.close();
  }
}
