package io.millrace.samples.cli;

import io.millrace.actor.body.BodyTarget;
import java.io.IOException;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** Counts what is written to another target, and digests it if asked to. */
final class MeteredTarget implements BodyTarget {
  private final BodyTarget target;
  private final @Nullable MessageDigest digest;
  private volatile long bytes;

  MeteredTarget(BodyTarget target, @Nullable MessageDigest digest) {
    this.target = target;
    this.digest = digest;
  }

  /** Bytes written so far; any thread. */
  long bytes() {
    return bytes;
  }

  @Override
  public void start(Runnable resume) {
    target.start(resume);
  }

  @Override
  public boolean isReady() {
    return target.isReady();
  }

  @Override
  public boolean isCancelled() {
    return target.isCancelled();
  }

  @Override
  public void write(byte[] from, int offset, int length) throws IOException {
    target.write(from, offset, length);
    if (digest != null) {
      digest.update(from, offset, length);
    }
    long sum = bytes + length;
    bytes = sum;
  }

  @Override
  public void complete() throws IOException {
    target.complete();
  }

  @Override
  public void abort(Throwable cause) {
    target.abort(cause);
  }
}
