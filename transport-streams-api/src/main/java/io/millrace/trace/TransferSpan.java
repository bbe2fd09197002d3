package io.millrace.trace;

import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.CausalityToken;
import io.millrace.transfer.Headers;

/** The span of one transfer, at one of its sides. Any thread. */
public interface TransferSpan {
  /** The transfer's headers, and what names this span to the peer in place of any other. */
  Headers headers();

  /**
   * What is kept with a token of this transfer ({@link CausalityToken#trace}), so that the span of
   * another that waits for it can tell.
   */
  Object context();

  /** Until it is closed, on the same thread, what this thread begins is a part of this span. */
  Scope enter();

  /** The transfer has this token. */
  void token(CausalityToken token);

  /** Bytes of the request's payload, now that they are known. */
  void requestBytes(long bytes);

  /** Bytes of the response's payload. */
  void responseBytes(long bytes);

  /**
   * The transfer has ended; the first time counts.
   *
   * @param text why, if it failed; else empty
   */
  void end(CallOutcome outcome, String text);

  /** Time in which a thread is in a span. */
  interface Scope extends AutoCloseable {
    @Override
    void close();
  }
}
