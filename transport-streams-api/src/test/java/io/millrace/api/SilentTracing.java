package io.millrace.api;

import io.millrace.trace.TracedTransfer;
import io.millrace.trace.Tracing;
import io.millrace.trace.TransferSpan;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.CausalityToken;
import io.millrace.transfer.Headers;

/** A tracer whose only span does nothing; a fake, for tests that watch one of the methods. */
class SilentTracing implements Tracing, TransferSpan {
  @Override
  public TransferSpan begin(TracedTransfer transfer) {
    return this;
  }

  @Override
  public TransferSpan serve(TracedTransfer transfer) {
    return this;
  }

  @Override
  public Headers carry(Headers headers) {
    return headers;
  }

  @Override
  public Headers headers() {
    return Headers.EMPTY;
  }

  @Override
  public Object context() {
    return this;
  }

  @Override
  public Scope enter() {
    return () -> {};
  }

  @Override
  public void token(CausalityToken token) {}

  @Override
  public void requestBytes(long bytes) {}

  @Override
  public void responseBytes(long bytes) {}

  @Override
  public void end(CallOutcome outcome, String text) {}
}
