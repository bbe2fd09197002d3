package io.millrace.actor.dispatcher;

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

  /** The calling thread is the one that will sleep. */
  void adopt() {
    sleeper = Thread.currentThread();
  }

  /** Announces that the thread is going to sleep; it must look for work before {@link #sleep}. */
  void announce() {
    asleep = true;
    VarHandle.fullFence();
  }

  /**
   * Parks for at most {@code timeoutNs} unless somebody has come since {@link #announce()}. May
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

  /** Takes {@link #announce()} back: there is work. */
  void stayAwake() {
    asleep = false;
  }

  @Override
  public void wakeUp() {
    VarHandle.fullFence();
    if (asleep && ASLEEP.compareAndSet(this, true, false)) {
      LockSupport.unpark(sleeper);
    }
  }
}
