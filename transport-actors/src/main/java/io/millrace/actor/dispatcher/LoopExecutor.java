package io.millrace.actor.dispatcher;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * One loop as the executor service that Pekko's dispatcher asks for.
 *
 * <p>{@link #shutdown()} refuses new tasks, and the loop's driver runs those that were accepted,
 * closes the duty cycles and ends. {@link #shutdownNow()} does just the same: a mailbox that was
 * accepted must run.
 */
abstract class LoopExecutor extends AbstractExecutorService {
  /** The loop that runs the tasks. */
  final LoopBody loop;

  LoopExecutor(LoopBody loop) {
    this.loop = loop;
  }

  @Override
  public void execute(Runnable task) {
    loop.execute(task);
  }

  @Override
  public List<Runnable> shutdownNow() {
    shutdown();
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return loop.isClosing();
  }

  @Override
  public boolean isTerminated() {
    return loop.isClosed();
  }

  /** A loop with a thread of its own. */
  static final class OwnThread extends LoopExecutor {
    private final LoopThread thread;

    OwnThread(LoopThread thread, LoopBody loop) {
      super(loop);
      this.thread = thread;
    }

    @Override
    public void shutdown() {
      loop.close();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
      return thread.awaitEnd(timeout, unit);
    }
  }

  /** A loop that application threads drive. */
  static final class Driven extends LoopExecutor {
    final CallerLoop caller;
    private final StandInThread standIn;

    Driven(CallerLoop caller, LoopBody loop) {
      super(loop);
      this.caller = caller;
      this.standIn = new StandInThread(caller, loop);
    }

    /** From now on a thread drives the loop whenever no other does. Any thread, any number. */
    void standIn() {
      standIn.startOnce();
    }

    @Override
    public void shutdown() {
      loop.close();
      standIn();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
      return standIn.awaitEnd(timeout, unit);
    }
  }
}
