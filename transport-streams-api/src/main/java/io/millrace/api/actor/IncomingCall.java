package io.millrace.api.actor;

import io.millrace.api.UnaryCall;
import io.millrace.api.UnaryResponse;
import java.util.Objects;
import org.apache.pekko.actor.typed.ActorRef;

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

  /** Whether the caller wants no answer any more: it gave the call up, or cannot be reached. */
  public boolean isUnwanted() {
    return decision().isCancelled();
  }

  /**
   * Tells an actor, once, if the caller wants no answer any more before there is one; at once if
   * that is so already.
   */
  public <M> void tellIfUnwanted(ActorRef<M> to, M message) {
    Objects.requireNonNull(to, "to");
    Objects.requireNonNull(message, "message");
    var _ =
        decision()
            .whenComplete(
                (response, failure) -> {
                  if (isUnwanted()) {
                    to.tell(message);
                  }
                });
  }

  /** Answers. */
  public void answer(UnaryResponse response) {
    var _ = decide(Objects.requireNonNull(response, "response"));
  }
}
