package io.millrace.protocol.schedule;

import org.jspecify.annotations.Nullable;

/**
 * The place of an owner, such as a peer path, in the queues of a {@link PriorityScheduler}: at most
 * once per level, at any number of levels at a time.
 *
 * <p>Created once with its owner, used with one scheduler at a time, on the worker's thread only.
 *
 * @param <P> the scheduled owner
 */
public final class Schedulable<P> {
  /** The neighbours per level; null at the ends and while not queued. */
  final @Nullable Schedulable<P>[] next;

  final @Nullable Schedulable<P>[] previous;

  /** Bit {@code l} is set while the entry is queued at level {@code l}. */
  int queuedLevels;

  /**
   * Bit {@code l} is set while the entry waits at level {@code l} for permission to send; not
   * queued there.
   */
  int heldLevels;

  /** The held levels at which the entry has had its turn already. */
  int servedLevels;

  private final P owner;

  /** Makes a place that is in no queue. */
  public Schedulable(P owner) {
    this.owner = owner;
    next = newLinks();
    previous = newLinks();
  }

  /** The scheduled owner. */
  public P owner() {
    return owner;
  }

  /** Whether the entry waits at this level. */
  public boolean isQueued(int level) {
    return (queuedLevels & 1 << level) != 0;
  }

  /** The levels at which the entry is held: bit {@code l} for level {@code l}. */
  public int heldLevels() {
    return heldLevels;
  }

  @SuppressWarnings("unchecked") // an array of a generic type; only this package stores into it
  static <P> @Nullable Schedulable<P>[] newLinks() {
    return (Schedulable<P>[]) new Schedulable<?>[PriorityScheduler.LEVELS];
  }
}
