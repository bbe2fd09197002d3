package io.millrace.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue for many threads at both ends. A thread takes its place by one compare-and-set.
 * Each place has a number that says which thread is next: the position of the tail while the place
 * is free for that position, one more once the place is filled. Elements leave in the order in
 * which their threads took the places.
 *
 * @param <E> the elements, never null
 */
public final class ManyToManyQueue<E> extends BoundedQueue<E> {
  private static final VarHandle TURNS = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] turns;

  /**
   * An empty queue.
   *
   * @param leastCapacity from 2; the next power of two is the capacity
   */
  public ManyToManyQueue(int leastCapacity) {
    super(leastCapacity);
    if (leastCapacity < 2) {
      throw new IllegalArgumentException("a queue of " + leastCapacity + " places");
    }
    turns = new long[capacity()];
    for (int i = 0; i < turns.length; i++) {
      turns[i] = i;
    }
    VarHandle.releaseFence();
  }

  /** {@inheritDoc} Any thread. */
  @Override
  public boolean offer(E element) {
    Objects.requireNonNull(element);
    while (true) {
      long tail = tail();
      long turn = turn(tail);
      if (turn < tail) {
        return false;
      }
      if (turn == tail && advanceTail(tail)) {
        set(tail, element);
        turn(tail, tail + 1);
        return true;
      }
      Thread.onSpinWait();
    }
  }

  /** {@inheritDoc} Any thread. */
  @Override
  public @Nullable E poll() {
    while (true) {
      long head = head();
      long turn = turn(head);
      if (turn < head + 1) {
        return null;
      }
      if (turn == head + 1 && advanceHead(head)) {
        E element = getPlain(head);
        set(head, null);
        turn(head, head + capacity());
        return element;
      }
      Thread.onSpinWait();
    }
  }

  private long turn(long position) {
    return (long) TURNS.getVolatile(turns, index(position));
  }

  private void turn(long position, long turn) {
    TURNS.setRelease(turns, index(position), turn);
  }
}
