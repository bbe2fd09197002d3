package io.millrace.body;

import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.Headers;
import java.io.IOException;

/** A target that forwards to another target, for subclasses to change in part. */
public abstract class ForwardingTarget implements BodyTarget {
  private final BodyTarget target;

  /** Forwards every call to {@code target}. */
  protected ForwardingTarget(BodyTarget target) {
    this.target = target;
  }

  @Override
  public boolean waitsForDevice() {
    return target.waitsForDevice();
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
  public void write(byte[] bytes, int offset, int length) throws IOException {
    target.write(bytes, offset, length);
  }

  @Override
  public void complete() throws IOException {
    target.complete();
  }

  @Override
  public Headers receiptHeaders() {
    return target.receiptHeaders();
  }

  @Override
  public void abort(Throwable cause) {
    target.abort(cause);
  }
}
