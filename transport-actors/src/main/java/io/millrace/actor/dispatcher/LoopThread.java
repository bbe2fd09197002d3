package io.millrace.actor.dispatcher;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import scala.Function0;
import scala.concurrent.BlockContext;
import scala.concurrent.CanAwait;

/**
 * A worker's own thread: drives one loop until it closes. A daemon, so that a forgotten transport
 * does not keep a process alive.
 *
 * <p>Scala's {@code Await} on this thread is refused with an exception: what it would wait for
 * could often only be done by this very thread.
 */
final class LoopThread extends Thread implements EventLoop.Carrier, BlockContext {
  private final LoopBody loop;
  private final IdleStrategy idle;
  private final Runnable atStart;
  private final CountDownLatch ended = new CountDownLatch(1);

  /**
   * A thread that is not started yet.
   *
   * @param atStart runs first of all on the new thread
   */
  LoopThread(LoopBody loop, IdleStrategy idle, Runnable atStart) {
    super(loop.name());
    this.loop = loop;
    this.idle = idle;
    this.atStart = atStart;
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
      atStart.run();
      while (!loop.isClosing()) {
        idle.onTurn(loop.runTurn());
      }
      loop.finish();
    } finally {
      loop.exit();
      ended.countDown();
    }
  }

  @Override
  public <T> T blockOn(Function0<T> thunk, CanAwait permission) {
    throw BlockingRefusedException.on(loop);
  }

  /** Waits until the loop is finished; false when the time is over before. */
  boolean awaitEnd(long timeout, TimeUnit unit) throws InterruptedException {
    return ended.await(timeout, unit);
  }
}
