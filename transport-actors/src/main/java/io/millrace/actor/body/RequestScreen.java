package io.millrace.actor.body;

/**
 * Says by the headers of a request whether it is wanted. Called on the executor, ahead of the
 * payload if that comes as a body.
 */
@FunctionalInterface
public interface RequestScreen {
  /** Lets every request pass. */
  RequestScreen NONE = (peer, priority, headers, payloadBytes) -> {};

  /**
   * A peer asks for something.
   *
   * @throws Exception the request is refused with this message
   */
  void screen(String peer, int priority, byte[] headers, long payloadBytes) throws Exception;
}
