package io.millrace.testkit.internal.core;

import io.millrace.loop.EventLoop;
import io.millrace.testkit.internal.patch.SimulatedWaits;
import io.millrace.testkit.internal.patch.Surrounded;
import io.millrace.testkit.internal.patch.Surroundings;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import scala.Function0;
import scala.concurrent.BlockContext;
import scala.concurrent.CanAwait;

/**
 * A thread that runs simulations, one at a time; all code of a simulated cluster runs on this
 * thread. The thread knows its present occupant, so that no code needs a look-up by name or a
 * static field. Several simulation threads may run side by side.
 */
public final class SimThread extends Thread implements EventLoop.Carrier, BlockContext, Surrounded {
  private static final long STACK_BYTES = 16L << 20;
  private static final String NAME = "millrace-sim";

  private @Nullable Simulation simulation;
  private @Nullable Occupant occupant;

  private SimThread(Runnable task) {
    super(null, task, NAME, STACK_BYTES);
    setDaemon(true);
  }

  /**
   * Runs {@code task} on a simulation thread: on the calling thread if it runs simulations, else on
   * a new thread, whose end the caller awaits.
   *
   * @throws Exception whatever the task throws
   */
  public static <T> T call(Callable<T> task) throws Exception {
    if (Thread.currentThread() instanceof SimThread) {
      return task.call();
    }
    FutureTask<T> future = new FutureTask<>(task);
    SimThread thread = new SimThread(future);
    thread.start();
    try {
      return future.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception failure) {
        throw failure;
      }
      if (e.getCause() instanceof Error failure) {
        throw failure;
      }
      throw e;
    } catch (InterruptedException e) {
      thread.interrupt();
      throw e;
    }
  }

  /** Starts a simulation thread, which is a daemon and ends with {@code task}. */
  public static void start(Runnable task) {
    new SimThread(task).start();
  }

  /**
   * Returns the calling thread.
   *
   * @throws IllegalStateException if this thread runs no simulations
   */
  public static SimThread current() {
    if (Thread.currentThread() instanceof SimThread thread) {
      return thread;
    }
    throw new IllegalStateException(
        "not on a simulation thread: " + Thread.currentThread().getName());
  }

  /** The present occupant, or null between events and in a scenario's own steps. */
  public @Nullable Occupant occupant() {
    return occupant;
  }

  /**
   * Makes {@code next} the occupant from now on.
   *
   * @return the former occupant, to be put back afterwards
   */
  public @Nullable Occupant enter(@Nullable Occupant next) {
    Occupant before = occupant;
    occupant = next;
    return before;
  }

  /** The run under way, or null. */
  public @Nullable Simulation simulation() {
    return simulation;
  }

  void onSimulation(@Nullable Simulation simulation) {
    this.simulation = simulation;
    occupant = null;
  }

  @Override
  public @Nullable EventLoop eventLoop() {
    Occupant running = occupant;
    return running == null ? null : running.eventLoop();
  }

  @Override
  public @Nullable Surroundings surroundings() {
    Occupant running = occupant;
    if (running != null) {
      return running.surroundings();
    }
    Simulation current = simulation;
    return current == null ? null : current.outside();
  }

  @Override
  public <T> T blockOn(Function0<T> thunk, CanAwait permission) {
    Occupant running = occupant;
    return running == null
        ? SimulatedWaits.attempt(thunk::apply, "a blocking call of a Scala future")
        : running.blockOn(thunk);
  }
}
