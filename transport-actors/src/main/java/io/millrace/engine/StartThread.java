package io.millrace.engine;

import io.millrace.loop.BlockingRefusedException;
import io.millrace.node.TransportException;
import io.millrace.provider.Loaders;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Starts a node on a thread of its own while the caller waits, because many parts of a start break
 * on an interrupted thread: Pekko leaves half an actor system, and channels close. If the caller is
 * interrupted meanwhile, the node is started to its end and closed on this thread, so that nothing
 * of the node is left. The thread has a context class loader that knows Millrace. Control plane.
 *
 * @param <T> the started object
 */
public final class StartThread<T extends AutoCloseable> extends Thread {
  private enum Wish {
    NONE,
    KEPT,
    ABANDONED
  }

  private final Supplier<T> start;
  private final AtomicReference<Wish> wish = new AtomicReference<>(Wish.NONE);

  // Read by the caller after the thread has ended.
  private @Nullable T started;
  private @Nullable Throwable failure;

  private StartThread(Supplier<T> start) {
    super("millrace-start");
    this.start = start;
    setDaemon(true);
    setContextClassLoader(Loaders.ofApplication());
  }

  /**
   * Runs the start on its thread and waits; an exception of the start is thrown here.
   *
   * @throws TransportException also if the calling thread is interrupted before the start has
   *     ended; the thread stays interrupted
   * @throws BlockingRefusedException on the thread of a worker, which must not wait
   */
  public static <T extends AutoCloseable> T call(Supplier<T> start) {
    BlockingRefusedException.check();
    if (Thread.currentThread().isInterrupted()) {
      throw new TransportException("a thread that is interrupted cannot start a node", null);
    }
    StartThread<T> thread = new StartThread<>(start);
    thread.start();
    boolean isInterrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        isInterrupted = true;
        thread.wish.compareAndSet(Wish.NONE, Wish.ABANDONED);
      }
    }
    // An interrupt may come while this thread is not in join, or lose the race for the wish.
    isInterrupted |= Thread.interrupted();
    if (isInterrupted) {
      thread.abandon();
      Thread.currentThread().interrupt();
    }
    return thread.outcome();
  }

  /** Closes the node of a start that ended before the interrupt was seen. */
  private void abandon() {
    T made = started;
    started = null;
    if (made != null) {
      try {
        made.close();
      } catch (Exception e) {
        failure = e;
      }
    }
  }

  @Override
  public void run() {
    try {
      T made = start.get();
      if (wish.compareAndSet(Wish.NONE, Wish.KEPT)) {
        started = made;
      } else {
        made.close();
      }
    } catch (Throwable e) {
      failure = e;
    }
  }

  private T outcome() {
    Throwable thrown = failure;
    T made = started;
    if (thrown instanceof RuntimeException || thrown instanceof Error) {
      thrown.setStackTrace(
          Stream.of(thrown.getStackTrace(), new Throwable().getStackTrace())
              .flatMap(Stream::of)
              .toArray(StackTraceElement[]::new));
    }
    if (thrown instanceof RuntimeException e) {
      throw e;
    }
    if (thrown instanceof Error e) {
      throw e;
    }
    if (made == null) {
      throw new TransportException(
          "the thread that started the node was interrupted meanwhile", thrown);
    }
    return made;
  }
}
