package io.millrace.api;

import io.millrace.actor.dispatcher.BlockingRefusedException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A future of a node for which no thread waits that drives a worker: the answer could often come by
 * that very thread only. Futures derived from it are of this class, too. Any thread.
 */
class WatchedFuture<T> extends CompletableFuture<T> {
  @Override
  public <U extends @Nullable Object> CompletableFuture<U> newIncompleteFuture() {
    return new WatchedFuture<>();
  }

  private void checkWait() {
    if (!isDone()) {
      BlockingRefusedException.check();
    }
  }

  @Override
  public T get() throws InterruptedException, ExecutionException {
    checkWait();
    return super.get();
  }

  @Override
  public T get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    checkWait();
    return super.get(timeout, unit);
  }

  @Override
  public T join() {
    checkWait();
    return super.join();
  }
}
