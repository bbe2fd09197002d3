package io.millrace.path.write;

import io.millrace.body.OutboundBody;

/** Whose bodies are written into the peer's regions. On the worker's thread. */
public interface SentBodies {
  /** Nobody listens. */
  SentBodies NONE = new SentBodies() {};

  /** The body was taken over whole by the peer. */
  default void onBodySent(OutboundBody body) {}

  /** The source of the body failed: no more of it comes. */
  default void onSourceFailed(OutboundBody body, String text) {}
}
