package io.millrace.api.bulk;

import io.millrace.actor.body.BodyTarget;
import io.millrace.actor.body.ForwardingTarget;
import java.util.function.Supplier;

/** A target that has a write answered with headers. */
final class AnsweringTarget extends ForwardingTarget {
  private final Supplier<byte[]> headers;

  /** Headers that are asked for when {@code target} has completed. */
  AnsweringTarget(Supplier<byte[]> headers, BodyTarget target) {
    super(target);
    this.headers = headers;
  }

  @Override
  public byte[] receiptHeaders() {
    return headers.get();
  }
}
