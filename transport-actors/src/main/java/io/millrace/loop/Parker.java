package io.millrace.loop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Lets one thread sleep and any other wake it, at the price of one volatile read and a fence for
 * those who find it awake.
 *
 * <p>The sleeper announces itself and only then looks whether there is something to do; who brings
 * something makes it visible and only then looks whether somebody sleeps. With a full fence between
 * the two steps on both sides, at least one of them sees the other, so no wake-up is lost.
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

  /** Whether the sleeper waits for the network; set before it announces itself. */
  private boolean isWaiting;

  private volatile @Nullable ArrivalWait wait;

  /** The calling thread is the one that will sleep. */
  void adopt() {
    sleeper = Thread.currentThread();
    wait = ArrivalWait.open();
  }

  /** The thread that sleeps has ended. */
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
   * Announces that the thread is going to sleep; it must look for work before it does.
   *
   * @param isWaiting whether it will {@link #await} what comes from the network; else {@link
   *     #sleep}
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
      // A thread that waits in the kernel looks like one that runs; see LoopBody.runner().
      LockSupport.setCurrentBlocker(this);
      isReady = present.await(descriptors, timeoutNs);
      LockSupport.setCurrentBlocker(null);
    }
    asleep = false;
    return isReady;
  }

  /** Takes {@link #announce} back: there is work. */
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
