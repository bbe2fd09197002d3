package io.millrace.protocol.schedule;

import org.jspecify.annotations.Nullable;

/**
 * A deadline of an owner, linked into a {@link TimingWheel} without any node of its own.
 *
 * <p>Created once with its owner and scheduled again and again. A timer is in at most one wheel at
 * a time. Everything but {@link #kind()} belongs to that wheel and to the worker's thread.
 */
public class Timer {
  /** The list that holds this timer; null without a schedule. */
  @Nullable TimerList list;

  @Nullable Timer previous;
  @Nullable Timer next;

  /** The requested deadline, ns. */
  long deadlineNs;

  /** The tick in which the timer is due. */
  long tick;

  /** The tick of the timer's present link; earlier than {@link #tick} after a lazy postponement. */
  long linkedTick;

  /** Number of the schedule call: decides which timer fires first within a tick. */
  long order;

  private final TimerHandler handler;
  private final int kind;

  /** Makes a timer that is not scheduled; {@code kind} is the owner's own and only handed back. */
  public Timer(TimerHandler handler, int kind) {
    this.handler = handler;
    this.kind = kind;
  }

  /** The kind that the owner told the constructor. */
  public final int kind() {
    return kind;
  }

  /** The owner of the timer. */
  public final TimerHandler handler() {
    return handler;
  }

  /** Whether a wheel holds the timer. */
  public final boolean isScheduled() {
    return list != null;
  }

  /** The deadline of the last schedule call, ns; {@link Long#MAX_VALUE} while not scheduled. */
  public final long deadlineNs() {
    return list == null ? Long.MAX_VALUE : deadlineNs;
  }

  final void fire(long nowNs) {
    handler.onTimer(this, nowNs);
  }
}
