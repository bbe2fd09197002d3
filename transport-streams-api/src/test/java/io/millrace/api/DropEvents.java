package io.millrace.api;

import io.millrace.event.DropReason;
import io.millrace.event.TransportEvents;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLongArray;

/** Knows the first path of a node, as an observer on the wire would, and counts its drops. */
final class DropEvents implements TransportEvents {
  private final CompletableFuture<Long> firstPathId = new CompletableFuture<>();
  private final AtomicLongArray drops = new AtomicLongArray(DropReason.values().length);

  /** Waits until the first path is open. */
  long firstPathId() throws InterruptedException, ExecutionException, TimeoutException {
    return firstPathId.get(20, TimeUnit.SECONDS);
  }

  long count(DropReason reason) {
    return drops.get(reason.ordinal());
  }

  long total() {
    long total = 0;
    for (int i = 0; i < drops.length(); i++) {
      total += drops.get(i);
    }
    return total;
  }

  @Override
  public void onPathOpened(int worker, String peer, long pathId) {
    firstPathId.complete(pathId);
  }

  @Override
  public void onPacketDropped(int worker, DropReason reason) {
    drops.incrementAndGet(reason.ordinal());
  }
}
