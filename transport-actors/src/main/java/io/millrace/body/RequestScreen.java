package io.millrace.body;

import io.millrace.access.admission.Caller;
import io.millrace.ends.FailureText;
import java.util.function.Consumer;

/**
 * Decides by the headers of a request whether the request is wanted. Called on the executor, ahead
 * of a payload received as a body.
 */
@FunctionalInterface
public interface RequestScreen {
  /** Lets every request pass. */
  RequestScreen NONE = (caller, priority, headers, payloadBytes) -> {};

  /**
   * Checks the request of a peer.
   *
   * @throws Exception the request is refused with this message
   */
  void screen(Caller caller, int priority, byte[] headers, long payloadBytes) throws Exception;

  /**
   * Whether the request is wanted; if not, {@code refusing} was told why, once. The method does not
   * throw: an error of the screen refuses one request, as an exception does.
   */
  default boolean takes(
      Caller caller, int priority, byte[] headers, long payloadBytes, Consumer<String> refusing) {
    try {
      screen(caller, priority, headers, payloadBytes);
    } catch (Exception | Error e) {
      refusing.accept(FailureText.of(e));
      return false;
    }
    return true;
  }
}
