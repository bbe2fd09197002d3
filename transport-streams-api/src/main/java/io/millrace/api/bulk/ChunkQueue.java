package io.millrace.api.bulk;

import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * Chunks on their way between a stream and a transfer: one thread at a time offers, one at a time
 * polls. A side that cannot go on declares itself idle and is woken once; a busy one is woken only
 * when the other cancels. Bounded in bytes: when full it has taken one chunk more than its capacity
 * at most.
 *
 * <p>Each side first publishes what it did and then looks whether the other is idle; the other
 * first declares itself idle and then looks again. Both steps are volatile, so one of the two sees
 * the other and no wake-up is lost.
 */
final class ChunkQueue {
  /** What a chunk counts at least, for the objects around its bytes. */
  static final int LEAST_COST_BYTES = 1024;

  private final long capacityBytes;
  private final OneToOneConcurrentArrayQueue<ByteString> chunks;

  /**
   * Costs of the chunks that were offered and not polled; the one counter that both sides write.
   */
  private final AtomicLong queuedBytes = new AtomicLong();

  private final WaitMark producerWait = new WaitMark();
  private final WaitMark consumerWait = new WaitMark();
  private volatile Runnable wakeProducer = () -> {};
  private volatile Runnable wakeConsumer = () -> {};

  private volatile boolean isEnded;
  private volatile @Nullable Throwable failure;
  private volatile boolean isCancelled;

  /** The consumer's own. */
  private boolean isDrained;

  ChunkQueue(int capacityBytes) {
    if (capacityBytes < LEAST_COST_BYTES) {
      throw new IllegalArgumentException(
          "a buffer of " + capacityBytes + " bytes, at least " + LEAST_COST_BYTES);
    }
    this.capacityBytes = capacityBytes;
    chunks = new OneToOneConcurrentArrayQueue<>(capacityBytes / LEAST_COST_BYTES + 1);
  }

  /** What to run, on the consumer's thread, when an idle producer can go on. */
  void onWakeProducer(Runnable wake) {
    wakeProducer = wake;
  }

  /** What to run, on the producer's thread, when an idle consumer can go on. */
  void onWakeConsumer(Runnable wake) {
    wakeConsumer = wake;
  }

  /** Producer: whether the next chunk is welcome. If not, the producer is idle and woken later. */
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

  /** Producer: adds a chunk, which is not empty; there must be room. */
  void offer(ByteString chunk) {
    if (!hasRoom() || !chunks.offer(chunk)) {
      throw new IllegalStateException("more bytes than were asked for");
    }
    queuedBytes.addAndGet(cost(chunk));
    wakeIdleConsumer();
  }

  /** Producer: nothing follows. A failure overtakes the chunks that are still queued. */
  void end(@Nullable Throwable cause) {
    failure = cause;
    isEnded = true;
    wakeIdleConsumer();
  }

  /**
   * Consumer: the next chunk. If there is none, then either {@link #isDrained}, or the consumer is
   * idle and woken when there is one, or the end.
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

  /** Consumer: the next chunk, if there is one. */
  @Nullable ByteString poll() {
    // read ahead of the queue: what is offered before the end must not be missed
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

  /** Consumer: takes nothing more. Wakes the producer, idle or busy, unless it has ended. */
  void cancel() {
    isCancelled = true;
    producerWait.end(producerWait.current());
    if (!isEnded) {
      wakeProducer.run();
    }
  }

  /** Consumer: whether it has polled everything that there will ever be. */
  boolean isDrained() {
    return isDrained;
  }

  /** Whether everything that there will ever be was polled; on any thread. */
  boolean isExhausted() {
    return isEnded && chunks.isEmpty();
  }

  /** Whether nothing is queued now; on any thread. */
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
