package io.millrace.actor.dispatcher;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Drives a {@link CallerLoop} whenever nobody else does, from the moment its worker is being shut
 * down until the loop has ended: otherwise its actors could never stop, and the system with them.
 */
final class StandInThread extends Thread {
  private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(100);

  private final CallerLoop caller;
  private final LoopBody loop;
  private final AtomicBoolean started = new AtomicBoolean();
  private final CountDownLatch ended = new CountDownLatch(1);

  StandInThread(CallerLoop caller, LoopBody loop) {
    super(loop.name() + "-stand-in");
    this.caller = caller;
    this.loop = loop;
    setDaemon(true);
  }

  /** Starts the thread unless somebody did. Any thread. */
  void startOnce() {
    if (started.compareAndSet(false, true)) {
      start();
    }
  }

  @Override
  public void run() {
    while (!loop.isClosed()) {
      caller.standIn(loop);
      LockSupport.parkNanos(this, PAUSE_NS);
    }
    ended.countDown();
  }

  /** Waits until the loop has ended; false when the time is over before. */
  boolean awaitEnd(long timeout, TimeUnit unit) throws InterruptedException {
    return ended.await(timeout, unit);
  }
}
