package io.millrace.api.bulk;

import io.millrace.body.ForwardingTarget;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.Headers;
import java.util.function.Supplier;

/** A target that answers a write with headers. */
final class AnsweringTarget extends ForwardingTarget {
  private final Supplier<Headers> headers;

  /** Creates a target that asks for the headers when {@code target} has completed. */
  AnsweringTarget(Supplier<Headers> headers, BodyTarget target) {
    super(target);
    this.headers = headers;
  }

  @Override
  public Headers receiptHeaders() {
    return headers.get();
  }
}
