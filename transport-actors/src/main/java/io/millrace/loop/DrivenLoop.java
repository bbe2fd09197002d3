package io.millrace.loop;

import io.millrace.node.CallerLoop;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import scala.Function0;
import scala.concurrent.BlockContext;
import scala.concurrent.CanAwait;

/** A worker's loop that threads of the application drive; a stand-in finishes the loop. */
public final class DrivenLoop implements CallerLoop {
  /** Turns that {@link #runUntil} runs before the stand-in gets a chance. */
  private static final int TURNS_PER_HOLD = 64;

  /** Turns between two looks at the clock, which costs more than a turn without work. */
  private static final int TURNS_PER_CLOCK = 8;

  private static final VarHandle DRIVER;

  static {
    try {
      DRIVER = MethodHandles.lookup().findVarHandle(DrivenLoop.class, "driver", Thread.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final BlockContext refusal = new Refusal();
  private final Function0<Object> turns = this::runTurns;

  private volatile LoopBody loop;
  private volatile boolean isEnding;
  private volatile @Nullable Thread driver;

  // Fields of the driver: the request, and the result of the request.
  private LoopBody driven;
  private BooleanSupplier until = DrivenLoop::isOneEnough;
  private long deadlineNs;
  private int work;
  private boolean isDone;

  DrivenLoop(LoopBody loop) {
    this.loop = loop;
    this.driven = loop;
  }

  /** The loop to drive. */
  public EventLoop eventLoop() {
    return loop;
  }

  @Override
  public boolean isClosed() {
    return loop.isClosed();
  }

  @Override
  public int runTurn() {
    if (!acquire()) {
      return 0;
    }
    try {
      drive(loop, DrivenLoop::isOneEnough, 0);
      return work;
    } finally {
      release();
    }
  }

  @Override
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

  @Override
  public long nowNs() {
    return loop.nowNs();
  }

  @Override
  public long nextTurnNs() {
    LoopBody present = loop;
    return present.hasWork() ? present.nowNs() : present.nextDeadlineNs();
  }

  @Override
  public int @Nullable [] arrivalDescriptors() {
    return loop.arrivalDescriptors();
  }

  /**
   * Continues with another loop: the former loop is closing, and its stand-in will finish the
   * former.
   */
  void attach(LoopBody next) {
    loop = next;
    if (isEnding) {
      startStandIn(next);
    }
  }

  /**
   * From now on a thread drives the loop, and the loop's successors, whenever no other thread does.
   */
  void standInFromNowOn() {
    isEnding = true;
    startStandIn(loop);
  }

  /**
   * Starts the thread that drives {@code body} whenever no other thread does, until the end of
   * {@code body}.
   */
  void startStandIn(LoopBody body) {
    new ClosingLoopThread(this, body).start();
  }

  /** Runs turns of {@code body} while the loop has work and no driver; finishes a closing loop. */
  void standIn(LoopBody body) {
    if (tryAcquire()) {
      try {
        do {
          drive(body, DrivenLoop::isOneEnough, 0);
        } while (work > 0);
      } finally {
        release();
      }
    }
  }

  private static boolean isOneEnough() {
    return true;
  }

  /** Takes the loop for a thread of the application; false while the stand-in has the loop. */
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
