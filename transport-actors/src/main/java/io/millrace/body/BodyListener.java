package io.millrace.body;

import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.CallOutcome;
import org.jspecify.annotations.Nullable;

/**
 * Whoever wants a body. Called on the executor, one call at a time: the headers at most once, then
 * exactly one of the other two.
 */
public interface BodyListener {
  /**
   * The headers are verified.
   *
   * @param payloadBytes what follows, or {@link BodyTerms#UNKNOWN}
   * @return where the payload goes, or null: then {@link BodyOpener#accept} or {@link
   *     BodyOpener#fail} follows on any thread
   */
  @Nullable BodyTarget onHeaders(BodyOpener opener, byte[] headers, long payloadBytes);

  /** The target has all bytes and has completed. */
  void onDelivered(long payloadBytes);

  /** There will be no more bytes; the target, if there was one, was aborted. */
  void onFailed(CallOutcome outcome, String text);
}
