package io.millrace.loop;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Drives a {@link DrivenLoop} whenever nobody else does, from the moment its worker is being shut
 * down until the loop has ended: otherwise its actors could never stop, and the system with them.
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
