package io.millrace.samples.jmh;

import io.millrace.protocol.schedule.PriorityScheduler;
import io.millrace.protocol.schedule.Schedulable;
import io.millrace.protocol.schedule.SchedulerPolicy;
import io.millrace.protocol.schedule.Timer;
import io.millrace.protocol.schedule.TimerHandler;
import io.millrace.protocol.schedule.TimingWheel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Timing wheel and priority scheduler with 256 peers. */
@State(Scope.Thread)
public class ScheduleBench implements TimerHandler {
  private static final int PEERS = 256;
  private static final int TRAIN_BYTES = 1472;
  private static final long PTO_NS = 1_000_000;

  private final TimingWheel wheel =
      new TimingWheel(TimingWheel.DEFAULT_TICK_NS, TimingWheel.DEFAULT_SLOTS, 0);
  private final PriorityScheduler<Integer> scheduler =
      new PriorityScheduler<>(SchedulerPolicy.WEIGHTED);
  private final List<Timer> timers = new ArrayList<>();
  private long nowNs;
  private int next;

  /** Fills wheel and scheduler. */
  @Setup(Level.Trial)
  public void fill() {
    for (int peer = 0; peer < PEERS; peer++) {
      timers.add(new Timer(this, peer));
      scheduler.activate(new Schedulable<>(peer), peer % PriorityScheduler.LEVELS);
    }
  }

  /** A timer is set and taken out again. */
  @Benchmark
  public boolean wheelScheduleAndCancel() {
    Timer timer = nextTimer();
    wheel.schedule(timer, nowNs + PTO_NS);
    wheel.cancel(timer);
    return timer.isScheduled();
  }

  /** A timer is put off, as by every packet sent, and time moves on by 100 ns. */
  @Benchmark
  public int wheelPostponeAndAdvance() {
    nowNs += 100;
    wheel.schedule(nextTimer(), nowNs + PTO_NS);
    return wheel.advance(nowNs);
  }

  /** The peer in turn sends a datagram and waits again. */
  @Benchmark
  public @Nullable Object schedulerTurn() {
    Schedulable<Integer> entry = scheduler.poll();
    if (entry != null) {
      int level = scheduler.polledLevel();
      scheduler.charge(level, TRAIN_BYTES);
      scheduler.activate(entry, level);
    }
    return entry;
  }

  @Override
  public void onTimer(Timer timer, long firedNs) {
    wheel.schedule(timer, firedNs + PTO_NS);
  }

  private Timer nextTimer() {
    next = (next + 1) % PEERS;
    return timers.get(next);
  }
}
