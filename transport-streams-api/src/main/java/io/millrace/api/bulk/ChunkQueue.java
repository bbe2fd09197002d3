package io.millrace.api.bulk;

import io.millrace.queue.OneToOneQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * A queue of chunks between a stream and a transfer: one thread at a time offers, one thread at a
 * time polls. A side that cannot go on declares itself idle and gets one wake-up; a busy side gets
 * a wake-up only when the other side cancels. Bounded in bytes: a full queue holds at most one
 * chunk beyond its capacity.
 *
 * <p>Each active side first publishes its step, then checks whether the other side is idle. Each
 * waiting side first declares itself idle, then checks the queue again. Both steps are volatile, so
 * at least one side sees the other side's step and no wake-up is lost.
 */
final class ChunkQueue {
  /** The minimum cost of a chunk, for the objects around its bytes. */
  static final int LEAST_COST_BYTES = 1024;

  private final long capacityBytes;
  private final OneToOneQueue<ByteString> chunks;

  /** The costs of the chunks offered and not yet polled; the only counter that both sides write. */
  private final AtomicLong queuedBytes = new AtomicLong();

  private final WaitMark producerWait = new WaitMark();
  private final WaitMark consumerWait = new WaitMark();
  private volatile Runnable wakeProducer = () -> {};
  private volatile Runnable wakeConsumer = () -> {};

  private volatile boolean isEnded;
  private volatile @Nullable Throwable failure;
  private volatile boolean isCancelled;

  /** Used by the consumer only. */
  private boolean isDrained;

  ChunkQueue(int capacityBytes) {
    if (capacityBytes < LEAST_COST_BYTES) {
      throw new IllegalArgumentException(
          "a buffer of " + capacityBytes + " bytes is below the minimum of " + LEAST_COST_BYTES);
    }
    this.capacityBytes = capacityBytes;
    chunks = new OneToOneQueue<>(capacityBytes / LEAST_COST_BYTES + 1);
  }

  /** Sets the task to run, on the consumer's thread, when an idle producer can go on. */
  void onWakeProducer(Runnable wake) {
    wakeProducer = wake;
  }

  /** Sets the task to run, on the producer's thread, when an idle consumer can go on. */
  void onWakeConsumer(Runnable wake) {
    wakeConsumer = wake;
  }

  /**
   * Producer: whether the queue has room for the next chunk. If not, the producer is idle and gets
   * a wake-up later.
   */
  boolean hasRoomOrWaits() {
    if (hasRoom()) {
      return true;
    }
    long wait = producerWait.begin();
    return canProducerGoOn() && producerWait.end(wait);
  }

  private boolean hasRoom() {
    return isCancelled || queuedBytes.get() < capacityBytes;
  }

  private boolean canProducerGoOn() {
    return isCancelled || queuedBytes.get() <= capacityBytes / 2;
  }

  /** Producer: adds a chunk, which must not be empty; the queue must have room. */
  void offer(ByteString chunk) {
    if (!hasRoom() || !chunks.offer(chunk)) {
      throw new IllegalStateException("the producer offered a chunk to a full queue");
    }
    queuedBytes.addAndGet(cost(chunk));
    wakeIdleConsumer();
  }

  /**
   * Producer: ends the queue; no further chunk follows. A failure overtakes the chunks still
   * queued.
   */
  void end(@Nullable Throwable cause) {
    failure = cause;
    isEnded = true;
    wakeIdleConsumer();
  }

  /**
   * Consumer: returns the next chunk. Without a chunk, the queue {@link #isDrained}, or the
   * consumer is idle and gets a wake-up at the next chunk or at the end.
   */
  @Nullable ByteString pollOrWait() {
    ByteString chunk = poll();
    if (chunk != null || isDrained) {
      return chunk;
    }
    long wait = consumerWait.begin();
    return canConsumerGoOn() && consumerWait.end(wait) ? poll() : null;
  }

  private boolean canConsumerGoOn() {
    return queuedBytes.get() > 0 || isEnded;
  }

  /** Consumer: returns the next chunk, if the queue has a chunk. */
  @Nullable ByteString poll() {
    // read ahead of the queue: the poll must not miss a chunk offered before the end
    boolean isLast = isEnded;
    ByteString chunk = chunks.poll();
    if (chunk == null) {
      isDrained = isLast;
      return null;
    }
    queuedBytes.addAndGet(-cost(chunk));
    wakeIdleProducer();
    return chunk;
  }

  /**
   * Consumer: takes no more chunks. Wakes the producer, idle or busy, unless the producer has ended
   * the queue.
   */
  void cancel() {
    isCancelled = true;
    producerWait.end(producerWait.current());
    if (!isEnded) {
      wakeProducer.run();
    }
  }

  /** Consumer: whether the consumer has polled all chunks up to the end. */
  boolean isDrained() {
    return isDrained;
  }

  /** Whether the queue has ended and all chunks were polled; on any thread. */
  boolean isExhausted() {
    return isEnded && chunks.isEmpty();
  }

  /** Whether the queue is empty now; on any thread. */
  boolean isEmpty() {
    return chunks.isEmpty();
  }

  boolean isEnded() {
    return isEnded;
  }

  boolean isCancelled() {
    return isCancelled;
  }

  @Nullable Throwable failure() {
    return failure;
  }

  private void wakeIdleConsumer() {
    long wait = consumerWait.current();
    if (wait != WaitMark.NOT_WAITING && canConsumerGoOn() && consumerWait.end(wait)) {
      wakeConsumer.run();
    }
  }

  private void wakeIdleProducer() {
    long wait = producerWait.current();
    if (wait != WaitMark.NOT_WAITING && canProducerGoOn() && producerWait.end(wait)) {
      wakeProducer.run();
    }
  }

  private static long cost(ByteString chunk) {
    return Math.max(chunk.length(), LEAST_COST_BYTES);
  }
}
