package io.millrace.samples.jmh;

import io.millrace.loop.DutyCycle;
import io.millrace.loop.LoopBody;
import io.millrace.loop.LoopLimits;
import io.millrace.loop.LoopWaker;
import org.agrona.concurrent.SystemNanoClock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A turn of a worker's loop with a single duty cycle without work; a turn reads the clock once. */
@State(Scope.Thread)
public class LoopBench implements DutyCycle {
  private final LoopBody loop =
      new LoopBody(
          "bench",
          new LoopLimits(1024, 64),
          SystemNanoClock.INSTANCE,
          LoopWaker.NONE,
          (thread, failure) -> failure.printStackTrace());
  private long tasks;
  private final Runnable task = this::runTask;

  /** Registers the cycle. */
  @Setup(Level.Trial)
  public void enter() {
    loop.enter();
    loop.register(this);
  }

  /** Ends the loop. */
  @TearDown(Level.Trial)
  public void exit() {
    loop.close();
    loop.finish();
    loop.exit();
  }

  /** Nothing to do. */
  @Benchmark
  public int emptyTurn() {
    return loop.runTurn();
  }

  /** A task of the loop's own, such as a mailbox. */
  @Benchmark
  public long turnWithOwnTask() {
    loop.execute(task);
    return loop.runTurn() + tasks;
  }

  private void runTask() {
    tasks++;
  }

  @Override
  public int doWork(long nowNs) {
    return 0;
  }

  @Override
  public boolean hasWork() {
    return false;
  }

  @Override
  public long nextDeadlineNs() {
    return NO_DEADLINE_NS;
  }

  @Override
  public void onClose() {}
}
