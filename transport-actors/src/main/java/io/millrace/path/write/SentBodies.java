package io.millrace.path.write;

import io.millrace.body.OutboundBody;

/**
 * Hears of the ends of bodies: the bodies that this side writes into the peer's regions. On the
 * worker's thread.
 */
public interface SentBodies {
  /** A listener without any effect. */
  SentBodies NONE = new SentBodies() {};

  /** The body was taken over whole by the peer. */
  default void onBodySent(OutboundBody body) {}

  /** The source of the body failed: no more bytes of the body come. */
  default void onSourceFailed(OutboundBody body, String text) {}
}
