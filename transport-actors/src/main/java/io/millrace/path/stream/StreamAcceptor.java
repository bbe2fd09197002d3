package io.millrace.path.stream;

import io.millrace.body.RequestScreen;

/** Takes the streams opened by peers to one route. */
@FunctionalInterface
public interface StreamAcceptor {
  /**
   * A peer opened a stream. On the worker's thread; must not block. The flows of {@code offer} are
   * used by any thread from now on.
   */
  void onStream(StreamOffer offer);

  /** The screen asked ahead of openings received as bodies; see {@link StreamOffer#isScreened}. */
  default RequestScreen screen() {
    return RequestScreen.NONE;
  }
}
