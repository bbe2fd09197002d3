package io.millrace.path.call;

import io.millrace.body.SharedPayload;
import io.millrace.transfer.BodySource;
import org.jspecify.annotations.Nullable;

/** The payload of a call that never goes in a frame. On the worker's thread. */
public interface RequestBody {
  /** The source of the payload; null if the payload was sealed before. */
  default @Nullable BodySource source() {
    return null;
  }

  /** The payload, if sealed for several peers; then {@link #source} is null. */
  default @Nullable SharedPayload shared() {
    return null;
  }

  /**
   * The body has taken over the source, or the sealed payload, and lets go of the source in the
   * end.
   */
  default void onStarted() {}
}
