package io.millrace.samples.file;

import io.millrace.body.ForwardingTarget;
import io.millrace.transfer.BodyTarget;
import java.io.IOException;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** Counts the bytes written to another target and the time, and digests the bytes if wanted. */
public final class MeteredTarget extends ForwardingTarget {
  private final @Nullable MessageDigest digest;
  private volatile long bytes;
  private volatile long busyNs;

  /** Written bytes also go to {@code digest}, if given. */
  public MeteredTarget(BodyTarget target, @Nullable MessageDigest digest) {
    super(target);
    this.digest = digest;
  }

  /** Bytes written so far; any thread. */
  public long bytes() {
    return bytes;
  }

  /** The time in calls of the other target so far, without digests; any thread. */
  public long busyNs() {
    return busyNs;
  }

  @Override
  public void write(byte[] from, int offset, int length) throws IOException {
    long startNs = System.nanoTime();
    super.write(from, offset, length);
    onBusySince(startNs);
    if (digest != null) {
      digest.update(from, offset, length);
    }
    long sum = bytes + length;
    bytes = sum;
  }

  @Override
  public void complete() throws IOException {
    long startNs = System.nanoTime();
    super.complete();
    onBusySince(startNs);
  }

  private void onBusySince(long startNs) {
    long sum = busyNs + System.nanoTime() - startNs;
    busyNs = sum;
  }
}
