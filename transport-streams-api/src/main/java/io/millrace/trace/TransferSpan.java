package io.millrace.trace;

import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.CausalityToken;
import io.millrace.transfer.Headers;
import java.time.Duration;

/** The span of one transfer, at one side of the transfer. Any thread. */
public interface TransferSpan {
  /**
   * Returns the transfer's headers, with the name of this span for the peer in place of another
   * span's name.
   */
  Headers headers();

  /**
   * Returns the trace data to keep with a token of this transfer ({@link CausalityToken#trace}), so
   * the span of a dependent transfer can link to this span.
   */
  Object context();

  /**
   * Enters the span: until the scope is closed, on the same thread, each transfer that this thread
   * begins is a part of this span.
   */
  Scope enter();

  /** Records the token of the transfer. */
  void token(CausalityToken token);

  /** Records the bytes of the request's payload, as soon as the number is known. */
  void requestBytes(long bytes);

  /** Records the bytes of the response's payload. */
  void responseBytes(long bytes);

  /**
   * Records that an attempt of the transfer failed, and that another attempt follows. The span is
   * the span of all attempts. Does nothing by default.
   *
   * @param attempt the number of the next attempt, from 2
   * @param failed the end of the failed attempt
   * @param pause the time until the next attempt
   */
  default void retry(int attempt, CallOutcome failed, Duration pause) {}

  /**
   * Ends the span with the end of the transfer; only the first call counts.
   *
   * @param text the cause of a failure; else empty
   */
  void end(CallOutcome outcome, String text);

  /** The time of a thread in a span. */
  interface Scope extends AutoCloseable {
    @Override
    void close();
  }
}
