package io.millrace.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue over a ring of places. The kinds differ in the number of threads at each end.
 *
 * <p>Two positions only grow: the head counts the elements that left, the tail the elements that
 * came. An element that is seen brings along all that its thread wrote before. No lock; allocates
 * only when made.
 *
 * @param <E> the elements, never null
 */
public abstract class BoundedQueue<E> {
  private static final VarHandle PLACES = MethodHandles.arrayElementVarHandle(Object[].class);
  private static final VarHandle POSITIONS = MethodHandles.arrayElementVarHandle(long[].class);

  /** Positions are this far from each other: two pairs of cache lines, as lines come in pairs. */
  private static final int LINE = 16;

  private static final int TAIL = LINE;
  private static final int HEAD_CACHE = 2 * LINE;
  private static final int HEAD = 3 * LINE;

  private final int capacity;
  private final @Nullable Object[] places;
  private final long[] positions = new long[4 * LINE];

  /** A queue of at least so many places: the next power of two. */
  BoundedQueue(int leastCapacity) {
    if (leastCapacity <= 0 || leastCapacity > 1 << 30) {
      throw new IllegalArgumentException("a queue of " + leastCapacity + " places");
    }
    capacity = leastCapacity == 1 ? 1 : Integer.highestOneBit(leastCapacity - 1) << 1;
    places = new Object[capacity];
  }

  /**
   * Adds an element behind all others.
   *
   * @return false, and nothing has happened, while the queue is full
   */
  public abstract boolean offer(E element);

  /**
   * Takes the first element.
   *
   * @return null if the queue is empty, or while the thread that adds the first element is between
   *     taking its place and filling it
   */
  public abstract @Nullable E poll();

  /** The number of places. */
  public final int capacity() {
    return capacity;
  }

  /** Whether no element is in the queue or is being added. Any thread. */
  public final boolean isEmpty() {
    // The head first: an element added and an element taken in between must not look like no
    // element.
    long head = head();
    return head == tail();
  }

  /** The number of elements at a moment during the call, from 0 to the capacity. Any thread. */
  public final int size() {
    long before;
    long tail;
    long after = head();
    do {
      before = after;
      tail = tail();
      after = head();
    } while (before != after);
    return Math.clamp(tail - after, 0, capacity);
  }

  /** Free places at a moment during the call. Any thread. */
  public final int remainingCapacity() {
    return capacity - size();
  }

  final long tail() {
    return (long) POSITIONS.getVolatile(positions, TAIL);
  }

  final boolean advanceTail(long from) {
    return POSITIONS.compareAndSet(positions, TAIL, from, from + 1);
  }

  final void tail(long position) {
    POSITIONS.setRelease(positions, TAIL, position);
  }

  final long head() {
    return (long) POSITIONS.getVolatile(positions, HEAD);
  }

  final boolean advanceHead(long from) {
    return POSITIONS.compareAndSet(positions, HEAD, from, from + 1);
  }

  final void head(long position) {
    POSITIONS.setRelease(positions, HEAD, position);
  }

  /** The head as the adding threads last saw it: at most the present head. */
  final long headCache() {
    return (long) POSITIONS.getVolatile(positions, HEAD_CACHE);
  }

  final void headCache(long position) {
    POSITIONS.setRelease(positions, HEAD_CACHE, position);
  }

  /** Whether the ring has a place at this tail. */
  final boolean hasRoom(long tail) {
    if (tail < headCache() + capacity) {
      return true;
    }
    long head = head();
    if (tail >= head + capacity) {
      return false;
    }
    headCache(head);
    return true;
  }

  /** Fills the place of this position, for the thread at the other end. */
  final void fill(long position, E element) {
    PLACES.setRelease(places, index(position), (Object) Objects.requireNonNull(element));
  }

  /** Fills or empties a place that another number publishes. */
  final void set(long position, @Nullable E element) {
    places[index(position)] = element;
  }

  /** The content of the place of this position. */
  @SuppressWarnings("unchecked") // only elements are in the places
  final @Nullable E get(long position) {
    return (E) PLACES.getVolatile(places, index(position));
  }

  /** The content of a place that another number published. */
  @SuppressWarnings("unchecked") // only elements are in the places
  final @Nullable E getPlain(long position) {
    return (E) places[index(position)];
  }

  /** Takes the element of the head. For a single taking thread. */
  final @Nullable E take() {
    long head = head();
    E element = get(head);
    if (element != null) {
      set(head, null);
      head(head + 1);
    }
    return element;
  }

  final int index(long position) {
    return (int) position & (capacity - 1);
  }
}
