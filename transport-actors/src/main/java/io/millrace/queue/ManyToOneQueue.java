package io.millrace.queue;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue for many threads that add and one that takes; another thread may follow a taking
 * thread that has handed its end over. An adding thread takes its place by one compare-and-set. The
 * elements of a thread leave in the order in which they came.
 *
 * @param <E> the elements, never null
 */
public final class ManyToOneQueue<E> extends BoundedQueue<E> {
  /**
   * An empty queue.
   *
   * @param leastCapacity from 1; the next power of two is the capacity
   */
  public ManyToOneQueue(int leastCapacity) {
    super(leastCapacity);
  }

  /** {@inheritDoc} Any thread. */
  @Override
  public boolean offer(E element) {
    Objects.requireNonNull(element);
    long tail;
    do {
      tail = tail();
      if (!hasRoom(tail)) {
        return false;
      }
    } while (!advanceTail(tail));
    fill(tail, element);
    return true;
  }

  /** {@inheritDoc} The taking thread. */
  @Override
  public @Nullable E poll() {
    return take();
  }
}
