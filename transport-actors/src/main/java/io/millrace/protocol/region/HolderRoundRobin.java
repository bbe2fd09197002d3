package io.millrace.protocol.region;

import org.jspecify.annotations.Nullable;

/**
 * The holders that want memory at one priority, in turn; linked through the holders, so the ring
 * does not allocate. Owned by a {@link RegionPool}.
 */
final class HolderRoundRobin {
  private final int priority;
  private @Nullable RegionHolder head;
  private int size;

  HolderRoundRobin(int priority) {
    this.priority = priority;
  }

  int size() {
    return size;
  }

  /** The holder whose turn has come; null without a waiting holder. */
  @Nullable RegionHolder head() {
    return head;
  }

  boolean contains(RegionHolder holder) {
    return holder.next(priority) != null;
  }

  /** Puts the holder last. */
  void add(RegionHolder holder) {
    assert !contains(holder);
    final RegionHolder first = head;
    if (first == null) {
      head = holder;
      holder.neighbours(priority, holder, holder);
    } else {
      final RegionHolder last = linked(first.previous(priority));
      holder.neighbours(priority, last, first);
      last.next(priority, holder);
      first.previous(priority, holder);
    }
    size++;
  }

  void remove(RegionHolder holder) {
    final RegionHolder after = linked(holder.next(priority));
    final RegionHolder before = linked(holder.previous(priority));
    before.next(priority, after);
    after.previous(priority, before);
    if (head == holder) {
      head = after == holder ? null : after;
    }
    holder.neighbours(priority, null, null);
    size--;
  }

  /** The turn passes to the next holder. */
  void rotate() {
    if (head != null) {
      head = linked(head.next(priority));
    }
  }

  private static RegionHolder linked(@Nullable RegionHolder neighbour) {
    if (neighbour == null) {
      throw new IllegalStateException("not in the ring");
    }
    return neighbour;
  }
}
