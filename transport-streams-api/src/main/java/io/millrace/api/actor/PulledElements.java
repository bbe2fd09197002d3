package io.millrace.api.actor;

import java.util.function.Consumer;
import org.apache.pekko.stream.javadsl.SinkQueueWithCancel;
import org.jspecify.annotations.Nullable;

/**
 * Elements from the peer, as many as were requested. One more is held, so that the end is seen
 * without a request for it. On the stream actor's thread.
 */
final class PulledElements {
  private final SinkQueueWithCancel<byte[]> queue;
  private long requested;
  private byte @Nullable [] held;
  private boolean isPulling;
  private boolean isOver;

  PulledElements(SinkQueueWithCancel<byte[]> queue) {
    this.queue = queue;
  }

  SinkQueueWithCancel<byte[]> queue() {
    return queue;
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

  void onEnd() {
    isOver = true;
  }

  void cancel() {
    if (!isOver) {
      isOver = true;
      held = null;
      queue.cancel();
    }
  }
}
