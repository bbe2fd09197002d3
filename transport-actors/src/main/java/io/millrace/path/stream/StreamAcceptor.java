package io.millrace.path.stream;

import io.millrace.body.RequestScreen;

/** Takes the streams that peers open to one route. */
@FunctionalInterface
public interface StreamAcceptor {
  /**
   * A peer opened a stream. On the worker's thread; must not block. The flows of {@code offer} are
   * used from any thread from now on.
   */
  void onStream(StreamOffer offer);

  /** Asked ahead of openings that come as bodies; see {@link StreamOffer#isScreened}. */
  default RequestScreen screen() {
    return RequestScreen.NONE;
  }
}
