package io.millrace.event;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;

/**
 * A subscriber to events that came while the node runs. It is told on a thread of its own, in the
 * order in which the events came to its queue; when the queue is full they are dropped for it, and
 * counted. So it may take its time, and wait: it keeps back neither workers nor other subscribers.
 * Any thread.
 */
public final class EventSubscription implements AutoCloseable {
  /** Events that may wait for a subscriber, unless it says otherwise. */
  public static final int DEFAULT_QUEUED_EVENTS = 4_096;

  private final TransportEvents subscriber;
  private final ExecutorService thread;
  private final Consumer<EventSubscription> leaving;
  private final ManyToOneConcurrentArrayQueue<Consumer<TransportEvents>> queue;
  private final AtomicLong dropped = new AtomicLong();

  /** Wishes to run: the task that counts the first of them tells all that is in the queue. */
  private final AtomicInteger wishes = new AtomicInteger();

  private volatile boolean closed;

  EventSubscription(
      TransportEvents subscriber,
      int queuedEvents,
      ExecutorService thread,
      Consumer<EventSubscription> leaving) {
    this.subscriber = subscriber;
    this.thread = thread;
    this.leaving = leaving;
    queue = new ManyToOneConcurrentArrayQueue<>(queuedEvents);
  }

  /** How many events it was not told because it was too slow. */
  public long dropped() {
    return dropped.get();
  }

  /**
   * It is told nothing more: what waits for it is forgotten, and only what it is being told at this
   * moment may still go on. Also for the subscriber itself, while it is told something. Idempotent.
   */
  @Override
  public void close() {
    closed = true;
    leaving.accept(this);
    thread.shutdown();
  }

  void offer(Consumer<TransportEvents> event) {
    if (!queue.offer(event)) {
      dropped.incrementAndGet();
    }
    if (wishes.getAndIncrement() == 0) {
      start();
    }
  }

  private void start() {
    try {
      thread.execute(this::tellAll);
    } catch (RuntimeException | Error e) { // shut down, or no thread to be had
      // The next event asks again.
      wishes.set(0);
    }
  }

  private void tellAll() {
    int seen;
    do {
      seen = wishes.get();
      Consumer<TransportEvents> event;
      while (!closed && (event = queue.poll()) != null) {
        event.accept(subscriber);
      }
    } while (!wishes.compareAndSet(seen, 0));
  }

  /** No event comes any more. */
  void finish() {
    thread.shutdown();
  }

  /** Waits so long until it was told what waited for it; what is left then it is not told. */
  boolean awaitEnd(long timeoutNs) {
    try {
      if (thread.awaitTermination(timeoutNs, TimeUnit.NANOSECONDS)) {
        return true;
      }
      closed = true;
      thread.shutdownNow();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }
}
