package io.millrace.api.actor;

import io.millrace.api.actor.StreamEnds.Arriving;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Elements from the peer, as many as were requested. One more is held, so that the end is seen
 * without a request for it; a failure is not kept waiting behind it. On the stream actor's thread.
 */
final class PulledElements {
  private final Arriving ends;
  private long requested;
  private byte @Nullable [] held;
  private @Nullable Throwable failure;
  private boolean isPulling;
  private boolean isOver;

  PulledElements(Arriving ends) {
    this.ends = ends;
  }

  Arriving ends() {
    return ends;
  }

  boolean isOver() {
    return isOver;
  }

  void request(long count) {
    long sum = requested + count;
    requested = sum < 0 ? Long.MAX_VALUE : sum;
  }

  void onElement(byte[] element) {
    isPulling = false;
    held = element;
  }

  /** Gives the held element away if it was requested. */
  void deliver(Consumer<byte[]> receiver) {
    byte[] element = held;
    if (element != null && requested > 0) {
      requested--;
      held = null;
      receiver.accept(element);
    }
  }

  /** Whether the next element must be pulled now; true once for each. */
  boolean pollPull() {
    boolean isNext = held == null && !isPulling && !isOver;
    isPulling |= isNext;
    return isNext;
  }

  /** The elements have failed, whatever is still to be pulled. */
  void onFailure(Throwable cause) {
    failure = cause;
  }

  /**
   * A failure that no pull would bring, because an element is held that was not requested; null if
   * there is none.
   */
  @Nullable Throwable failureBehindHeld() {
    return held == null ? null : failure;
  }

  void onEnd() {
    isOver = true;
    held = null;
  }

  void cancel() {
    if (!isOver) {
      isOver = true;
      held = null;
      ends.queue().cancel();
    }
  }
}
