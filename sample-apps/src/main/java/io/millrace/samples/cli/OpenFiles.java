package io.millrace.samples.cli;

import io.millrace.actor.body.BodySource;
import io.millrace.actor.body.BodyTarget;
import io.millrace.actor.body.ForwardingSource;
import io.millrace.actor.body.ForwardingTarget;
import io.millrace.actor.body.OverloadedException;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Opens files for peers on threads of its own, so that a disk that hangs stops no handler, and no
 * more at once than so many: whoever asks for one more is told to come back. Any thread.
 */
final class OpenFiles {
  private static final int THREADS = 4;
  private static final long IDLE_S = 10;

  private final int most;
  private final AtomicInteger open = new AtomicInteger();
  private final ThreadPoolExecutor executor =
      new ThreadPoolExecutor(
          THREADS,
          THREADS,
          IDLE_S,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          Thread.ofPlatform().daemon().name("millrace-open-", 0).factory());

  /** No more than {@code most} files at once. */
  OpenFiles(int most) {
    this.most = most;
    executor.allowCoreThreadTimeOut(true);
  }

  /** Files that are open, or on their way. */
  int open() {
    return open.get();
  }

  /** A file to write. */
  CompletionStage<BodyTarget> target(Callable<BodyTarget> opening) throws OverloadedException {
    return begin(() -> new Target(opening.call()));
  }

  /** A file to read. */
  CompletionStage<BodySource> source(Callable<BodySource> opening) throws OverloadedException {
    return begin(() -> new Source(opening.call()));
  }

  /** What is asked about a file, and is not open afterwards. */
  <T> CompletionStage<T> answer(Callable<T> question) throws OverloadedException {
    return this.<T>begin(question).whenComplete((answer, failure) -> leaveAnswered(failure));
  }

  /** What fails has left already. */
  private void leaveAnswered(@Nullable Throwable failure) {
    if (failure == null) {
      leave();
    }
  }

  private <T> CompletionStage<T> begin(Callable<T> opening) throws OverloadedException {
    enter();
    CompletableFuture<T> opened = new CompletableFuture<>();
    executor.execute(
        () -> {
          try {
            opened.complete(opening.call());
          } catch (Throwable t) { // whoever waits for the file must hear
            leave();
            opened.completeExceptionally(t);
          }
        });
    return opened;
  }

  private void enter() throws OverloadedException {
    if (open.incrementAndGet() > most) {
      leave();
      throw new OverloadedException(
          "no more than " + most + " files are opened at once; try again");
    }
  }

  private void leave() {
    open.decrementAndGet();
  }

  private final class Target extends ForwardingTarget {
    Target(BodyTarget target) {
      super(target);
    }

    @Override
    public void complete() throws IOException {
      try {
        super.complete();
      } finally {
        leave();
      }
    }

    @Override
    public void abort(Throwable cause) {
      try {
        super.abort(cause);
      } finally {
        leave();
      }
    }
  }

  private final class Source extends ForwardingSource {
    Source(BodySource source) {
      super(source);
    }

    @Override
    public void close() {
      try {
        super.close();
      } finally {
        leave();
      }
    }
  }
}
