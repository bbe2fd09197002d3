package io.millrace.loop;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Drives a {@link DrivenLoop} whenever nobody else does, from the shutdown of its worker until the
 * loop has ended: otherwise the worker's actors could never stop, and the system could not stop
 * either.
 */
final class ClosingLoopThread extends Thread {
  private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(100);

  private final DrivenLoop caller;
  private final LoopBody loop;

  ClosingLoopThread(DrivenLoop caller, LoopBody loop) {
    super(loop.name() + "-stand-in");
    this.caller = caller;
    this.loop = loop;
    setDaemon(true);
  }

  @Override
  public void run() {
    while (!loop.isClosed()) {
      caller.standIn(loop);
      LockSupport.parkNanos(this, PAUSE_NS);
    }
  }
}
