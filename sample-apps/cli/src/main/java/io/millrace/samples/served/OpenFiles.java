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
 * Opens files for peers on threads of its own, so that a hanging disk stops no handler. The number
 * of open files is limited, for a single peer to half of the limit: a peer beyond the limit must
 * try again later. Any thread.
 */
public final class OpenFiles {
  private static final int THREADS = 4;
  private static final long IDLE_S = 10;

  private final int most;
  private final int mostOfPeer;

  /** The number of open files of each peer; guarded by this. */
  private final Map<String, Integer> openOfPeers = new HashMap<>();

  /** The number of all open files; guarded by this. */
  private int open;

  private final ThreadPoolExecutor executor =
      new ThreadPoolExecutor(
          THREADS,
          THREADS,
          IDLE_S,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          Thread.ofPlatform().daemon().name("millrace-open-", 0).factory());

  /**
   * Allows {@code most} files at once; a single peer may have half of the files, or the only file.
   */
  public OpenFiles(int most) {
    this.most = most;
    mostOfPeer = Math.max(1, most / 2);
    executor.allowCoreThreadTimeOut(true);
  }

  /** Returns the number of files open, or about to be opened. */
  synchronized int open() {
    return open;
  }

  /** Opens a file that this peer writes. */
  CompletionStage<BodyTarget> target(String peer, Callable<BodyTarget> opening)
      throws OverloadedException {
    return begin(peer, () -> new Target(peer, opening.call()));
  }

  /** Opens a file that this peer reads. */
  CompletionStage<BodySource> source(String peer, Callable<BodySource> opening)
      throws OverloadedException {
    return begin(peer, () -> new Source(peer, opening.call()));
  }

  /** Answers a question of this peer about a file, which is not open afterwards. */
  <T> CompletionStage<T> answer(String peer, Callable<T> question) throws OverloadedException {
    return this.<T>begin(peer, question)
        .whenComplete((answer, failure) -> leaveAnswered(peer, failure));
  }

  /** A failed question has left already. */
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
          } catch (Throwable t) { // the caller waiting for the file must hear
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
