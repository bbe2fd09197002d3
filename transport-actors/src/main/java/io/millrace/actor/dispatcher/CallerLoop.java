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
  /** Turns that {@link #runUntil} runs before it lets the stand-in have its chance. */
  private static final int TURNS_PER_HOLD = 64;

  /** Turns between two looks at the clock, which costs more than a turn without work. */
  private static final int TURNS_PER_CLOCK = 8;

  private static final VarHandle DRIVER;

  static {
    try {
      DRIVER = MethodHandles.lookup().findVarHandle(CallerLoop.class, "driver", Thread.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final BlockContext refusal = new Refusal();
  private final Function0<Object> turns = this::runTurns;

  private volatile LoopBody loop;
  private volatile boolean isEnding;
  private volatile @Nullable Thread driver;

  // The driver's: what it was asked to do, and what came of it.
  private LoopBody driven;
  private BooleanSupplier until = CallerLoop::isOneEnough;
  private long deadlineNs;
  private int work;
  private boolean isDone;

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
    if (!acquire()) {
      return 0;
    }
    try {
      drive(loop, CallerLoop::isOneEnough, 0);
      return work;
    } finally {
      release();
    }
  }

  /**
   * Runs turns on the calling thread until {@code isDone}, until the loop's clock has reached
   * {@code deadlineNs}, which is looked at every few turns, or until the loop has ended; at least
   * one turn unless it is done already.
   *
   * @param isDone asked before and after each turn, on the loop
   * @return whether {@code isDone}
   * @throws IllegalStateException if another thread of the application, or this one, is in a turn
   */
  public boolean runUntil(BooleanSupplier isDone, long deadlineNs) {
    boolean done = isDone.getAsBoolean();
    while (!done && !isClosed()) {
      if (acquire()) {
        try {
          drive(loop, isDone, deadlineNs);
          done = this.isDone;
        } finally {
          release();
        }
      } else {
        Thread.onSpinWait();
        done = isDone.getAsBoolean();
      }
      if (!done && loop.nowNs() - deadlineNs >= 0) {
        break;
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
    new ClosingLoopThread(this, body).start();
  }

  /** Runs turns of {@code body} while there is work and nobody drives; finishes it if it closes. */
  void standIn(LoopBody body) {
    if (tryAcquire()) {
      try {
        do {
          drive(body, CallerLoop::isOneEnough, 0);
        } while (work > 0);
      } finally {
        release();
      }
    }
  }

  private static boolean isOneEnough() {
    return true;
  }

  /** Takes the loop for a thread of the application; false when the stand-in has it. */
  private boolean acquire() {
    if (tryAcquire()) {
      return true;
    }
    Thread other = driver;
    if (other == null || other instanceof ClosingLoopThread) {
      return false;
    }
    throw new IllegalStateException(
        "loop " + loop.name() + " is being driven by " + other.getName());
  }

  private boolean tryAcquire() {
    return DRIVER.compareAndSet(this, null, Thread.currentThread());
  }

  private void release() {
    DRIVER.setRelease(this, null);
  }

  private void drive(LoopBody body, BooleanSupplier isDone, long deadlineNs) {
    work = 0;
    this.isDone = false;
    if (body.isClosed()) {
      return;
    }
    driven = body;
    until = isDone;
    this.deadlineNs = deadlineNs;
    body.enter();
    try {
      BlockContext.withBlockContext(refusal, turns);
    } finally {
      body.exit();
    }
  }

  private Object runTurns() {
    int count = 0;
    do {
      if (count > 0 && work == 0) {
        Thread.onSpinWait();
      }
      work = driven.runTurn();
      count++;
      isDone = until.getAsBoolean();
    } while (!isDone
        && count < TURNS_PER_HOLD
        && !driven.isClosing()
        && (count % TURNS_PER_CLOCK != 0 || driven.nowNs() - deadlineNs < 0));
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
