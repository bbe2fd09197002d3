package io.millrace.event;

import io.millrace.queue.ManyToOneQueue;
import io.millrace.wait.EndWait;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A subscriber to events. The subscriber is told on a thread of its own, in the order in which the
 * events came to the queue; a full queue drops events for this subscriber, and counts the dropped
 * events. So a subscriber may take its time, and wait: a subscriber keeps back neither workers nor
 * other subscribers. Data events come by another way, and the data events of a worker are in order
 * among themselves. Exceptions of the subscriber are reported: the first, the second, the fourth
 * and so on. Any thread.
 */
public final class EventSubscription implements AutoCloseable {
  private final TransportEvents subscriber;
  private final ExecutorService thread;
  private final Consumer<EventSubscription> leaving;
  private final Consumer<Throwable> report;
  private final ManyToOneQueue<Consumer<TransportEvents>> queue;
  private final AtomicLong dropped = new AtomicLong();
  private final AtomicLong thrown = new AtomicLong();
  private final LongFunction<String> peers;
  private final Queue<CountDownLatch> waiting = new ConcurrentLinkedQueue<>();
  private volatile List<Tap> taps = List.of();
  private volatile List<AutoCloseable> ticks = List.of();
  private volatile @Nullable ActivityMeter meter;

  /** Requests to run: the task that counts the first request tells all queued events. */
  private final AtomicInteger wishes = new AtomicInteger();

  private volatile boolean isActivityDue;
  private volatile boolean closed;

  /** The source of one worker's data events. */
  private record Tap(DataEvents worker, DataRing ring) {}

  EventSubscription(
      TransportEvents subscriber,
      int queuedEvents,
      ExecutorService thread,
      LongFunction<String> peers,
      Consumer<EventSubscription> leaving,
      Consumer<Throwable> report) {
    this.subscriber = subscriber;
    this.thread = thread;
    this.peers = peers;
    this.leaving = leaving;
    this.report = report;
    queue = new ManyToOneQueue<>(queuedEvents);
  }

  /** Subscribes to the data events of these workers. Once. */
  void tap(List<DataEvents> workers, int bytes) {
    List<Tap> all = new ArrayList<>();
    for (DataEvents worker : workers) {
      DataRing ring = new DataRing(bytes);
      all.add(new Tap(worker, ring));
      worker.add(ring);
    }
    taps = List.copyOf(all);
  }

  /** Subscribes to the activity of workers, told whenever the activity is due. Once. */
  void meter(ActivityMeter meter) {
    this.meter = meter;
  }

  /** Stops these ticks when the subscriber leaves. Once. */
  void ticks(List<AutoCloseable> ticks) {
    this.ticks = List.copyOf(ticks);
  }

  /**
   * The number of events that the subscriber missed because the subscriber was too slow, data
   * events among them.
   */
  public long dropped() {
    return dropped.get() + taps.stream().mapToLong(tap -> tap.ring().dropped()).sum();
  }

  /**
   * Ends the subscription: waiting events are forgotten, and only an event that the subscriber is
   * being told at this moment may still go on. Also for the subscriber itself, while the subscriber
   * is told an event. Idempotent.
   */
  @Override
  public void close() {
    closed = true;
    release();
    thread.shutdown();
  }

  private void release() {
    leaving.accept(this);
    taps.forEach(tap -> tap.worker().remove(tap.ring()));
    for (AutoCloseable tick : ticks) {
      try {
        tick.close();
      } catch (Exception e) {
        report.accept(e);
      }
    }
  }

  void offer(Consumer<TransportEvents> event) {
    if (!queue.offer(event)) {
      dropped.incrementAndGet();
    }
    wish();
  }

  /** Data events may have come. */
  void onDataTick() {
    wish();
  }

  /** An interval is over. */
  void onActivityTick() {
    isActivityDue = true;
    wish();
  }

  private void wish() {
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
      List<CountDownLatch> asked = new ArrayList<>();
      CountDownLatch next;
      while ((next = waiting.poll()) != null) {
        asked.add(next);
      }
      Consumer<TransportEvents> event;
      while (!closed && (event = queue.poll()) != null) {
        tell(event);
      }
      for (Tap tap : taps) {
        read(tap);
      }
      ActivityMeter due = meter;
      if (isActivityDue && due != null && !closed) {
        isActivityDue = false;
        tell(to -> due.tell(to, this::droppedOf));
      }
      asked.forEach(CountDownLatch::countDown);
    } while (!wishes.compareAndSet(seen, 0));
  }

  private void read(Tap tap) {
    int worker = tap.worker().worker();
    DataRing.Reader reader =
        (kind, from, index) -> tell(to -> DataEvents.tell(kind, worker, from, index, peers, to));
    boolean hasMore;
    do {
      hasMore = !closed && tap.ring().read(reader);
    } while (hasMore);
  }

  private long droppedOf(int worker) {
    return taps.stream()
        .filter(tap -> tap.worker().worker() == worker)
        .mapToLong(tap -> tap.ring().dropped())
        .sum();
  }

  private void tell(Consumer<TransportEvents> event) {
    try {
      event.accept(subscriber);
    } catch (RuntimeException | Error e) {
      if (Long.bitCount(thrown.incrementAndGet()) == 1) {
        report.accept(e);
      }
    }
  }

  /**
   * No event comes any more: the subscriber is told the waiting events, and the activity of the
   * last interval.
   */
  void finish() {
    onActivityTick();
    release();
    thread.shutdown();
  }

  /**
   * Waits so long until the subscriber was told all earlier events; returns whether the subscriber
   * was.
   */
  boolean awaitTold(long timeoutNs) throws InterruptedException {
    CountDownLatch told = new CountDownLatch(1);
    waiting.add(told);
    wish();
    return told.await(timeoutNs, TimeUnit.NANOSECONDS);
  }

  /**
   * Waits so long until the subscriber was told the waiting events; events left after the wait are
   * dropped.
   */
  boolean awaitEnd(long timeoutNs) {
    if (EndWait.await(thread, timeoutNs)) {
      return true;
    }
    closed = true;
    thread.shutdownNow();
    return false;
  }
}
