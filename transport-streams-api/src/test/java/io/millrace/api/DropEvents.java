package io.millrace.api;

import io.millrace.event.DropReason;
import io.millrace.event.SubscriptionOptions;
import io.millrace.event.TransportEvents;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Records the first path of a node, as an observer on the wire would, and counts drops and
 * troubles.
 */
final class DropEvents implements TransportEvents {
  /** The options with a queue long enough for a whole flood. */
  static final SubscriptionOptions OPTIONS = SubscriptionOptions.DEFAULTS.withData(1 << 25);

  private final CompletableFuture<Long> firstPathId = new CompletableFuture<>();
  private final List<String> troubles = new CopyOnWriteArrayList<>();
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

  /** Returns faults, violations and ended paths, as text. */
  List<String> troubles() {
    return List.copyOf(troubles);
  }

  @Override
  public void onPathClosed(int worker, String peer, long pathId, String reason) {
    troubles.add("path closed: " + reason);
  }

  @Override
  public void onPeerFault(int worker, String peer, Throwable fault) {
    troubles.add("peer fault: " + fault);
  }

  @Override
  public void onProtocolViolation(int worker, String peer, String what) {
    troubles.add("violation: " + what);
  }

  @Override
  public void onWorkerFault(int worker, Throwable fault) {
    troubles.add("worker fault: " + fault);
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
