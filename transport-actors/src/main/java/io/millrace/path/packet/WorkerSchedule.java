package io.millrace.path.packet;

import io.millrace.ends.PathCounters;
import io.millrace.path.network.PathNetwork;
import io.millrace.protocol.schedule.PriorityScheduler;
import io.millrace.protocol.schedule.Schedulable;
import io.millrace.protocol.schedule.SendRate;
import io.millrace.protocol.schedule.ShapedScheduler;
import io.millrace.protocol.schedule.Shaper;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The order of sending among the paths of one worker, and the time at which the worker may send at
 * all. The endpoints of a NIC with a send rate have an order of their own, so that a NIC that is
 * busy holds no other NIC back; all endpoints without a rate share one order. Also the paths
 * wanting a look in this turn. On the worker's thread; does not allocate in the steady state.
 */
public final class WorkerSchedule {
  private final List<ShapedScheduler<Sender>> ofEndpoints = new ArrayList<>();
  private final List<ShapedScheduler<Sender>> distinct = new ArrayList<>();
  private final PathCounters counters;
  private final TouchedPaths touched = new TouchedPaths();
  private int turn;
  private int polledLevel = -1;

  /** A path with turns from the scheduler. */
  public interface Sender {
    /**
     * Sends one train beginning with frames of {@code level}.
     *
     * @return false if nothing was sent: then {@link #isStalled()} says whether a buffer was
     *     missing
     */
    boolean transmit(int level, long nowNs);

    /** Whether the last {@link #transmit} found no free send buffer. */
    boolean isStalled();

    /** Wants another turn at {@code level}, because a buffer may be free now. */
    void resume(int level);
  }

  /**
   * A schedule without any waiting path.
   *
   * @param schedulers makes an empty scheduler for each send rate
   * @param network has the send rates of the endpoints
   * @param counters counts the times that the worker waited for a send rate
   */
  public WorkerSchedule(
      Supplier<PriorityScheduler<Sender>> schedulers, PathNetwork network, PathCounters counters) {
    this.counters = counters;
    List<SendRate> rates = new ArrayList<>();
    for (int endpoint = 0; endpoint < network.size(); endpoint++) {
      SendRate rate = network.sendRate(endpoint);
      if (!rates.contains(rate)) {
        rates.add(rate);
        Shaper shaper = new Shaper(rate, network.packetOverheadBytes());
        distinct.add(new ShapedScheduler<>(schedulers.get(), shaper));
      }
      ofEndpoints.add(distinct.get(rates.indexOf(rate)));
    }
  }

  /** The order and the time of sending by an endpoint. */
  public ShapedScheduler<Sender> of(int endpoint) {
    return ofEndpoints.get(endpoint);
  }

  /** The paths wanting a look in this turn. */
  public TouchedPaths touched() {
    return touched;
  }

  /**
   * The path with the turn to send, or null if no path wants to send or may send. Send rates take
   * turns.
   */
  public @Nullable Schedulable<Sender> poll(long nowNs) {
    for (int left = distinct.size(); left > 0; left--) {
      ShapedScheduler<Sender> next = distinct.get(turn);
      turn = turn + 1 == distinct.size() ? 0 : turn + 1;
      boolean wasWaiting = next.shaper().isWaiting();
      Schedulable<Sender> polled = next.poll(nowNs);
      if (polled != null) {
        polledLevel = next.scheduler().polledLevel();
        return polled;
      }
      if (next.shaper().isWaiting() && !wasWaiting) {
        counters.sendRateWaits++;
      }
    }
    return null;
  }

  /** The level of the path that {@link #poll} returned last. */
  public int polledLevel() {
    return polledLevel;
  }

  /** Whether a path may send or wants a look, at any time. */
  public boolean hasWork() {
    for (int i = 0; i < distinct.size(); i++) {
      if (distinct.get(i).hasWork()) {
        return true;
      }
    }
    return !touched.isEmpty();
  }

  /** When a path that waits for a send rate may go on, ns; {@link Long#MAX_VALUE} if none waits. */
  public long nextDeadlineNs() {
    long nextNs = Long.MAX_VALUE;
    for (int i = 0; i < distinct.size(); i++) {
      nextNs = Math.min(nextNs, distinct.get(i).shaper().nextDeadlineNs());
    }
    return nextNs;
  }
}
