package io.millrace.loop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Lets a thread sleep and any other thread wake the sleeper, at the price of a volatile read and a
 * fence for threads that find the sleeper awake.
 *
 * <p>The sleeper announces itself and only then looks for work; a thread with new work makes the
 * work visible and only then looks for a sleeper. With a full fence between the two steps on both
 * sides, at least one side sees the other, so no wake-up is lost.
 */
final class Parker implements LoopWaker {
  private static final VarHandle ASLEEP;

  static {
    try {
      ASLEEP = MethodHandles.lookup().findVarHandle(Parker.class, "asleep", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile boolean asleep;
  private volatile @Nullable Thread sleeper;

  /** Whether the sleeper waits for the network; set before the announcement. */
  private boolean isWaiting;

  private volatile @Nullable ArrivalWait wait;

  /** The calling thread is the future sleeper. */
  void adopt() {
    sleeper = Thread.currentThread();
    wait = ArrivalWait.open();
  }

  /** The sleeping thread has ended. */
  void retire() {
    ArrivalWait present = wait;
    if (present != null) {
      present.close();
    }
  }

  /** Whether {@link #await} can be used here. */
  boolean canAwait() {
    return wait != null;
  }

  /**
   * Announces that the thread is going to sleep; the thread must look for work before its sleep.
   *
   * @param isWaiting whether the thread will {@link #await} the network; else {@link #sleep}
   */
  void announce(boolean isWaiting) {
    this.isWaiting = isWaiting;
    asleep = true;
    VarHandle.fullFence();
  }

  /**
   * Parks for at most {@code timeoutNs} unless somebody has come since {@link #announce}. May
   * return early.
   */
  void sleep(long timeoutNs) {
    if (asleep) {
      LockSupport.parkNanos(this, timeoutNs);
      // A set interrupt flag would make every later park return at once, and spin.
      Thread.interrupted();
    }
    asleep = false;
  }

  /**
   * Waits for at most {@code timeoutNs} until one of these descriptors is readable, unless somebody
   * has come since {@link #announce}. May return early.
   *
   * @return whether a descriptor is readable, or has an error
   */
  boolean await(int[] descriptors, long timeoutNs) {
    ArrivalWait present = wait;
    boolean isReady = false;
    if (present != null && asleep) {
      // A thread that waits in the kernel looks like a running thread; see LoopBody.runner().
      LockSupport.setCurrentBlocker(this);
      isReady = present.await(descriptors, timeoutNs);
      LockSupport.setCurrentBlocker(null);
    }
    asleep = false;
    return isReady;
  }

  /** Takes {@link #announce} back: the loop has work. */
  void stayAwake() {
    asleep = false;
  }

  @Override
  public void wakeUp() {
    VarHandle.fullFence();
    if (asleep && ASLEEP.compareAndSet(this, true, false)) {
      ArrivalWait present = wait;
      if (isWaiting && present != null) {
        present.wakeUp();
      } else {
        LockSupport.unpark(sleeper);
      }
    }
  }
}
