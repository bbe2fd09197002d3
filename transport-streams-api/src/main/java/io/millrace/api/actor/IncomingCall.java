package io.millrace.api.actor;

import io.millrace.api.UnaryCall;
import io.millrace.api.UnaryResponse;
import java.util.Objects;

/**
 * A request that an actor answers, once: with {@link #answer} or {@link #fail}. The actor owns the
 * arrays. Any thread.
 */
public final class IncomingCall extends Incoming<UnaryResponse> {
  private final UnaryCall call;

  IncomingCall(UnaryCall call) {
    this.call = call;
  }

  /** Who calls, and with what. */
  public UnaryCall call() {
    return call;
  }

  /** Answers. */
  public void answer(UnaryResponse response) {
    var _ = decide(Objects.requireNonNull(response, "response"));
  }
}
