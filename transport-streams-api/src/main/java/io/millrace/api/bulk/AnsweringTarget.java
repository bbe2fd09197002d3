package io.millrace.api.bulk;

import io.millrace.actor.body.BodyTarget;
import java.io.IOException;
import java.util.function.Supplier;

/**
 * A target that has a write answered with headers.
 *
 * @param headers asked for when the target has completed
 * @param target where the bytes go
 */
record AnsweringTarget(Supplier<byte[]> headers, BodyTarget target) implements BodyTarget {
  @Override
  public byte[] receiptHeaders() {
    return headers.get();
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
  public void abort(Throwable cause) {
    target.abort(cause);
  }
}
