package io.millrace.samples.file;

import io.millrace.body.ForwardingTarget;
import io.millrace.transfer.BodyTarget;
import java.io.IOException;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** Counts the bytes written to another target, and digests the bytes if wanted. */
public final class MeteredTarget extends ForwardingTarget {
  private final @Nullable MessageDigest digest;
  private volatile long bytes;

  /** Written bytes also go to {@code digest}, if given. */
  public MeteredTarget(BodyTarget target, @Nullable MessageDigest digest) {
    super(target);
    this.digest = digest;
  }

  /** Bytes written so far; any thread. */
  public long bytes() {
    return bytes;
  }

  @Override
  public void write(byte[] from, int offset, int length) throws IOException {
    super.write(from, offset, length);
    if (digest != null) {
      digest.update(from, offset, length);
    }
    long sum = bytes + length;
    bytes = sum;
  }
}
