package io.millrace.ends;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A bounded line: any thread joins at its end, one worker takes from its head.
 *
 * @param <T> what stands in it
 */
public final class BoundedLine<T> {
  private final ConcurrentLinkedQueue<T> line = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();
  private final int most;

  /** An empty line of at most so many. */
  public BoundedLine(int most) {
    this.most = most;
  }

  /** Joins the line; false if it is full. Any thread. */
  public boolean join(T last) {
    if (size.incrementAndGet() > most) {
      size.decrementAndGet();
      return false;
    }
    line.add(last);
    return true;
  }

  /** How many there are, those included that are about to join. Any thread. */
  public int size() {
    return size.get();
  }

  /** The first, or null. On the worker's thread. */
  public @Nullable T peek() {
    return line.peek();
  }

  /** Takes the first; null if nobody is there. One thread at a time. */
  public @Nullable T poll() {
    T first = line.poll();
    if (first != null) {
      size.decrementAndGet();
    }
    return first;
  }
}
