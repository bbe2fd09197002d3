package io.millrace.actor.stream;

import io.millrace.actor.call.CallOutcomes;
import io.millrace.actor.call.HeaderLimits;
import io.millrace.wire.codec.CallStatus;

/**
 * A stream that a peer opened.
 *
 * @param peer identity of the peer
 * @param priority 0 to 7
 * @param headers of the request
 * @param payload the request of a streaming response
 * @param isScreened whether the headers have passed the acceptor's screen already
 * @param limits of the response's headers
 * @param stream its flows; the first element to offer are the response's headers
 */
public record StreamOffer(
    String peer,
    int priority,
    byte[] headers,
    byte[] payload,
    boolean isScreened,
    HeaderLimits limits,
    ElementStream stream) {
  /** The stream is not wanted. Any thread. */
  public void refuse(CallStatus status, String text) {
    refuseRequests(status, text);
    stream.outlet().fail(status, text);
  }

  /**
   * No more requests are wanted; whoever takes them sees them fail so, for some may be missing. Any
   * thread.
   *
   * @param status not {@code OK}
   */
  public void refuseRequests(CallStatus status, String text) {
    stream.inlet().giveUp(new StreamEnd(CallOutcomes.of(status.value()), text));
  }
}
