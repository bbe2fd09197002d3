package io.millrace.loop;

import scala.Function0;
import scala.concurrent.BlockContext;
import scala.concurrent.CanAwait;

/**
 * A worker's own thread: drives a loop until the loop closes. A daemon, so that a forgotten
 * transport does not keep a process alive.
 *
 * <p>Scala's {@code Await} on this thread is refused with an exception: often only this very thread
 * could do the awaited work.
 */
final class LoopThread extends Thread implements EventLoop.Carrier, BlockContext {
  private final LoopBody loop;
  private final IdleStrategy idle;
  private final int core;

  /** Whether the creating thread is pinned, because this thread would inherit the pinning. */
  private final boolean inheritsPinning;

  /**
   * A thread that is not started yet.
   *
   * @param core the CPU for pinning the thread, or {@link LoopSettings#ANY_CORE}
   */
  LoopThread(LoopBody loop, IdleStrategy idle, int core) {
    super(loop.name());
    this.loop = loop;
    this.idle = idle;
    this.core = core;
    this.inheritsPinning =
        Thread.currentThread() instanceof LoopThread maker && maker.loop.pinning().isPinned();
    setDaemon(true);
  }

  @Override
  public EventLoop eventLoop() {
    return loop;
  }

  @Override
  public void run() {
    loop.enter();
    try {
      pin();
      idle.onStart();
      while (!loop.isClosing()) {
        idle.onTurn(loop.runTurn());
      }
      loop.finish();
    } finally {
      idle.onEnd();
      DedicatedCores.OF_PROCESS.onEnded();
      loop.exit();
    }
  }

  private void pin() {
    if (core != LoopSettings.ANY_CORE) {
      loop.onPinning(DedicatedCores.OF_PROCESS.pin(core));
    } else if (inheritsPinning) {
      CpuAffinity.unpinCurrentThread();
    }
  }

  @Override
  public <T> T blockOn(Function0<T> thunk, CanAwait permission) {
    throw BlockingRefusedException.on(loop);
  }
}
