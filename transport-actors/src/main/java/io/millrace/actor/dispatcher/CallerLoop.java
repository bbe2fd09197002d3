package io.millrace.actor.dispatcher;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import scala.Function0;
import scala.concurrent.BlockContext;
import scala.concurrent.CanAwait;

/**
 * Lets application threads drive a worker's loop themselves, for the lowest latency on few cores.
 *
 * <p>Any thread may, one at a time. While nobody does, the worker's tasks wait and its network is
 * not looked at. When the worker is being shut down and nobody drives it, a short-lived thread runs
 * what is left. The calling thread never parks here.
 */
public final class CallerLoop {
  private static final VarHandle DRIVER;

  static {
    try {
      DRIVER = MethodHandles.lookup().findVarHandle(CallerLoop.class, "driver", Thread.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final BlockContext refusal = new Refusal();
  private final Function0<Object> turn = this::runTurnRefusingToBlock;

  private volatile LoopBody loop;
  private volatile boolean isEnding;
  private volatile @Nullable Thread driver;

  /** The loop whose turn runs, and what it did; the driver's. */
  private LoopBody driven;

  private int turnWork;

  CallerLoop(LoopBody loop) {
    this.loop = loop;
    this.driven = loop;
  }

  /** The loop to drive. */
  public EventLoop eventLoop() {
    return loop;
  }

  /** Whether the loop has ended; driving it does nothing then. */
  public boolean isClosed() {
    return loop.isClosed();
  }

  /**
   * Runs one turn on the calling thread.
   *
   * @return how much was done; 0 when there was nothing to do, when the stand-in just drives, or
   *     when the loop has ended
   * @throws IllegalStateException if another thread of the application, or this one, is in a turn
   */
  public int runTurn() {
    if (!tryAcquire()) {
      Thread other = driver;
      if (other == null || other instanceof StandInThread) {
        return 0;
      }
      throw new IllegalStateException(
          "loop " + loop.name() + " is being driven by " + other.getName());
    }
    try {
      return runAcquired(loop);
    } finally {
      release();
    }
  }

  /**
   * Runs turns on the calling thread until {@code isDone}, until the loop's clock has reached
   * {@code deadlineNs}, or until the loop has ended; at least one unless it is done already.
   *
   * @param isDone asked before each turn
   * @return whether {@code isDone}
   * @throws IllegalStateException if another thread of the application, or this one, is in a turn
   */
  public boolean runUntil(BooleanSupplier isDone, long deadlineNs) {
    boolean done = isDone.getAsBoolean();
    while (!done && !isClosed()) {
      int work = runTurn();
      done = isDone.getAsBoolean();
      if (!done && loop.nowNs() - deadlineNs >= 0) {
        break;
      }
      if (work == 0) {
        Thread.onSpinWait();
      }
    }
    return done;
  }

  /** Continues with another loop: the former is closing, and its stand-in will finish it. */
  void attach(LoopBody next) {
    loop = next;
    if (isEnding) {
      startStandIn(next);
    }
  }

  /** From now on a thread drives the loop, and what succeeds it, whenever no other does. */
  void standInFromNowOn() {
    isEnding = true;
    startStandIn(loop);
  }

  /** Starts the thread that drives {@code body} whenever no other does, until it has ended. */
  void startStandIn(LoopBody body) {
    new StandInThread(this, body).start();
  }

  /** Runs turns of {@code body} while there is work and nobody drives; finishes it if it closes. */
  void standIn(LoopBody body) {
    if (tryAcquire()) {
      try {
        while (runAcquired(body) > 0) {
          Thread.onSpinWait();
        }
      } finally {
        release();
      }
    }
  }

  private boolean tryAcquire() {
    return DRIVER.compareAndSet(this, null, Thread.currentThread());
  }

  private void release() {
    DRIVER.setRelease(this, null);
  }

  private int runAcquired(LoopBody body) {
    if (body.isClosed()) {
      return 0;
    }
    driven = body;
    body.enter();
    try {
      BlockContext.withBlockContext(refusal, turn);
      return turnWork;
    } finally {
      body.exit();
    }
  }

  private Object runTurnRefusingToBlock() {
    turnWork = driven.runTurn();
    if (driven.isClosing()) {
      driven.finish();
    }
    return this;
  }

  private final class Refusal implements BlockContext {
    @Override
    public <T> T blockOn(Function0<T> thunk, CanAwait permission) {
      throw BlockingRefusedException.on(driven);
    }
  }
}
