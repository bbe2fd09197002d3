package io.millrace.samples.log.node;

import io.millrace.samples.log.core.Batch;
import io.millrace.samples.log.core.Operation;
import io.millrace.samples.log.core.Result;
import io.millrace.samples.log.core.Result.Status;
import io.millrace.samples.log.core.SizeLimits;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.util.ByteString;

/**
 * The clients' operations at a leader: operations that wait for a slot, and operations that have a
 * slot. Called in the replica's turns.
 */
final class Proposer {
  private static final int MOST_OPERATIONS = 512;

  private record Waiting(Operation operation, CompletableFuture<Result> answer) {}

  private final Deque<Waiting> queue = new ArrayDeque<>();
  private final TreeMap<Long, List<Waiting>> proposed = new TreeMap<>();
  private final SizeLimits limits;
  private final int mostWaiting;

  /** The bytes of the operations in the queue. */
  private long waitingBytes;

  /** The operations given by {@link #take}, until a slot is known. */
  private List<Waiting> taken = List.of();

  Proposer(SizeLimits limits, int mostWaiting) {
    this.limits = limits;
    this.mostWaiting = mostWaiting;
  }

  void add(Operation operation, CompletableFuture<Result> answer) {
    int bytes = operation.bytes();
    if (bytes > limits.operation()) {
      answer.complete(Result.of(Status.TOO_LARGE, limits.operation()));
    } else if (queue.size() >= mostWaiting || waitingBytes + bytes > limits.waiting()) {
      answer.complete(Result.of(Status.OVERLOADED, 0));
    } else {
      waitingBytes += bytes;
      queue.add(new Waiting(operation, answer));
    }
  }

  boolean isEmpty() {
    return queue.isEmpty();
  }

  /** Returns the value of the next slot: as many operations as go together. */
  ByteString take() {
    List<Waiting> batch = new ArrayList<>();
    int bytes = 0;
    while (!queue.isEmpty()
        && batch.size() < MOST_OPERATIONS
        && (batch.isEmpty() || bytes + queue.getFirst().operation.bytes() <= limits.batch())) {
      Waiting next = queue.removeFirst();
      bytes += next.operation.bytes();
      waitingBytes -= next.operation.bytes();
      batch.add(next);
    }
    taken = batch;
    return Batch.encode(batch.stream().map(Waiting::operation).toList());
  }

  /** The operations taken last have this slot. */
  void onSlot(long slot) {
    proposed.put(slot, taken);
    taken = List.of();
  }

  /** A slot was applied. */
  void onApplied(long slot, List<Result> results) {
    List<Waiting> waiting = proposed.remove(slot);
    if (waiting != null) {
      for (int i = 0; i < results.size(); i++) {
        waiting.get(i).answer.complete(results.get(i));
      }
    }
  }

  /** The replica leads no more: answers all waiting operations. */
  void onFollow(int leader) {
    List<Waiting> untouched = List.copyOf(queue);
    List<Waiting> uncertain = proposed.values().stream().flatMap(List::stream).toList();
    queue.clear();
    waitingBytes = 0;
    proposed.clear();
    untouched.forEach(each -> each.answer.complete(Result.of(Status.NOT_LEADER, leader)));
    uncertain.forEach(each -> each.answer.complete(Result.of(Status.UNCERTAIN, leader)));
  }
}
