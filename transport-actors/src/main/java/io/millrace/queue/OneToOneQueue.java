package io.millrace.queue;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue with a single adding thread and a single taking thread. A thread may hand its end
 * over to another thread. Neither end needs an atomic operation.
 *
 * @param <E> the elements, never null
 */
public final class OneToOneQueue<E> extends BoundedQueue<E> {
  /**
   * An empty queue.
   *
   * @param leastCapacity from 1; the next power of two is the capacity
   */
  public OneToOneQueue(int leastCapacity) {
    super(leastCapacity);
  }

  /** {@inheritDoc} The adding thread. */
  @Override
  public boolean offer(E element) {
    Objects.requireNonNull(element);
    long tail = tail();
    if (!hasRoom(tail)) {
      return false;
    }
    fill(tail, element);
    tail(tail + 1);
    return true;
  }

  /** {@inheritDoc} The taking thread. */
  @Override
  public @Nullable E poll() {
    return take();
  }
}
