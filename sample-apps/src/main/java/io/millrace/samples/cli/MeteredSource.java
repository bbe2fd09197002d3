package io.millrace.samples.cli;

import io.millrace.actor.body.BodySource;
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
      if (digest != null) {
        digest.update(into, offset, read);
      }
      long sum = bytes + read;
      bytes = sum;
    }
    return read;
  }

  @Override
  public void close() {
    source.close();
  }
}
