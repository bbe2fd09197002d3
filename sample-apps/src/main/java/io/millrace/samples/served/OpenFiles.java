package io.millrace.samples.served;

import io.millrace.body.ForwardingSource;
import io.millrace.body.ForwardingTarget;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.OverloadedException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Opens files for peers on threads of its own, so that a disk that hangs stops no handler, and no
 * more at once than so many, and for one peer than half of them: whoever asks for one more is told
 * to come back. Any thread.
 */
public final class OpenFiles {
  private static final int THREADS = 4;
  private static final long IDLE_S = 10;

  private final int most;
  private final int mostOfPeer;

  /** Of each peer that has any; guarded by this. */
  private final Map<String, Integer> openOfPeers = new HashMap<>();

  /** Guarded by this. */
  private int open;

  private final ThreadPoolExecutor executor =
      new ThreadPoolExecutor(
          THREADS,
          THREADS,
          IDLE_S,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          Thread.ofPlatform().daemon().name("millrace-open-", 0).factory());

  /** No more than {@code most} files at once; one peer has half of them, or the only one. */
  public OpenFiles(int most) {
    this.most = most;
    mostOfPeer = Math.max(1, most / 2);
    executor.allowCoreThreadTimeOut(true);
  }

  /** Files that are open, or on their way. */
  synchronized int open() {
    return open;
  }

  /** A file that this peer writes. */
  CompletionStage<BodyTarget> target(String peer, Callable<BodyTarget> opening)
      throws OverloadedException {
    return begin(peer, () -> new Target(peer, opening.call()));
  }

  /** A file that this peer reads. */
  CompletionStage<BodySource> source(String peer, Callable<BodySource> opening)
      throws OverloadedException {
    return begin(peer, () -> new Source(peer, opening.call()));
  }

  /** What this peer asks about a file, which is not open afterwards. */
  <T> CompletionStage<T> answer(String peer, Callable<T> question) throws OverloadedException {
    return this.<T>begin(peer, question)
        .whenComplete((answer, failure) -> leaveAnswered(peer, failure));
  }

  /** What fails has left already. */
  private void leaveAnswered(String peer, @Nullable Throwable failure) {
    if (failure == null) {
      leave(peer);
    }
  }

  private <T> CompletionStage<T> begin(String peer, Callable<T> opening)
      throws OverloadedException {
    enter(peer);
    CompletableFuture<T> opened = new CompletableFuture<>();
    executor.execute(
        () -> {
          try {
            opened.complete(opening.call());
          } catch (Throwable t) { // whoever waits for the file must hear
            leave(peer);
            opened.completeExceptionally(t);
          }
        });
    return opened;
  }

  private synchronized void enter(String peer) throws OverloadedException {
    if (open == most) {
      throw new OverloadedException(
          "no more than " + most + " files are opened at once; try again");
    }
    int ofPeer = openOfPeers.getOrDefault(peer, 0);
    if (ofPeer == mostOfPeer) {
      throw new OverloadedException(
          "no more than " + mostOfPeer + " files are opened at once for one peer; try again");
    }
    openOfPeers.put(peer, ofPeer + 1);
    open++;
  }

  private synchronized void leave(String peer) {
    int left = openOfPeers.getOrDefault(peer, 0) - 1;
    if (left > 0) {
      openOfPeers.put(peer, left);
    } else {
      openOfPeers.remove(peer);
    }
    open--;
  }

  private final class Target extends ForwardingTarget {
    private final String peer;

    Target(String peer, BodyTarget target) {
      super(target);
      this.peer = peer;
    }

    @Override
    public void complete() throws IOException {
      try {
        super.complete();
      } finally {
        leave(peer);
      }
    }

    @Override
    public void abort(Throwable cause) {
      try {
        super.abort(cause);
      } finally {
        leave(peer);
      }
    }
  }

  private final class Source extends ForwardingSource {
    private final String peer;

    Source(String peer, BodySource source) {
      super(source);
      this.peer = peer;
    }

    @Override
    public void close() {
      try {
        super.close();
      } finally {
        leave(peer);
      }
    }
  }
}
