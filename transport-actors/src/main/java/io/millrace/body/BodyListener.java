package io.millrace.body;

import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.CallOutcome;
import org.jspecify.annotations.Nullable;

/**
 * The receiver of a body. Called on the executor, one call at a time: the headers at most once,
 * then exactly one call of the other two methods.
 */
public interface BodyListener {
  /**
   * The headers are verified.
   *
   * @param payloadBytes the number of bytes behind the headers, or {@link BodyTerms#UNKNOWN}
   * @return the target of the payload, or null: then {@link BodyOpener#accept} or {@link
   *     BodyOpener#fail} follows on any thread
   */
  @Nullable BodyTarget onHeaders(BodyOpener opener, byte[] headers, long payloadBytes);

  /** The target has all bytes and has completed. */
  void onDelivered(long payloadBytes);

  /** No more bytes will come; a present target was aborted. */
  void onFailed(CallOutcome outcome, String text);
}
