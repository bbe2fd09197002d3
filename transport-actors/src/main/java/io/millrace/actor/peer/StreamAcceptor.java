package io.millrace.actor.peer;

/** Takes the streams that peers open to one route. */
@FunctionalInterface
public interface StreamAcceptor {
  /**
   * A peer opened a stream. On the worker's thread; must not block. The flows of {@code offer} are
   * used from any thread from now on.
   */
  void onStream(StreamOffer offer);
}
