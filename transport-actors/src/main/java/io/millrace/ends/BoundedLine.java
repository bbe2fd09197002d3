package io.millrace.ends;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A bounded line of elements: any thread adds at the end, a single worker takes from the head.
 *
 * @param <T> the type of the elements
 */
public final class BoundedLine<T> {
  private final ConcurrentLinkedQueue<T> line = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();
  private final int most;

  /** An empty line of at most {@code most} elements. */
  public BoundedLine(int most) {
    this.most = most;
  }

  /** Adds an element at the end; false if the line is full. Any thread. */
  public boolean join(T last) {
    if (size.incrementAndGet() > most) {
      size.decrementAndGet();
      return false;
    }
    line.add(last);
    return true;
  }

  /** The number of elements, including elements about to join. Any thread. */
  public int size() {
    return size.get();
  }

  /** The first element, or null if the line is empty. On the worker's thread. */
  public @Nullable T peek() {
    return line.peek();
  }

  /** Takes the first element; null if the line is empty. One thread at a time. */
  public @Nullable T poll() {
    T first = line.poll();
    if (first != null) {
      size.decrementAndGet();
    }
    return first;
  }
}
