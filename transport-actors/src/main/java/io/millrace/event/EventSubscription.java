package io.millrace.event;

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
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A subscriber to events. It is told on a thread of its own, in the order in which the events came
 * to its queue; when the queue is full they are dropped for it, and counted. So it may take its
 * time, and wait: it keeps back neither workers nor other subscribers. Data events come by another
 * way and are in order among themselves, those of one worker. What it throws is reported: the first
 * time, the second, the fourth and so on. Any thread.
 */
public final class EventSubscription implements AutoCloseable {
  private static final int MOST_OF_RING = 4_096;

  private final TransportEvents subscriber;
  private final ExecutorService thread;
  private final Consumer<EventSubscription> leaving;
  private final Consumer<Throwable> report;
  private final ManyToOneConcurrentArrayQueue<Consumer<TransportEvents>> queue;
  private final AtomicLong dropped = new AtomicLong();
  private final AtomicLong thrown = new AtomicLong();
  private final LongFunction<String> peers;
  private final Queue<CountDownLatch> waiting = new ConcurrentLinkedQueue<>();
  private volatile List<Tap> taps = List.of();
  private volatile List<AutoCloseable> ticks = List.of();
  private volatile @Nullable ActivityMeter meter;

  /** Wishes to run: the task that counts the first of them tells all that is in the queue. */
  private final AtomicInteger wishes = new AtomicInteger();

  private volatile boolean isActivityDue;
  private volatile boolean closed;

  /** Where one worker's data events come from. */
  private record Tap(DataEvents worker, DataRings.Ring ring) {}

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
    queue = new ManyToOneConcurrentArrayQueue<>(queuedEvents);
  }

  /** It is told of these workers' data events. Once. */
  void tap(List<DataEvents> workers, int bytes) {
    List<Tap> all = new ArrayList<>();
    for (DataEvents worker : workers) {
      DataRings.Ring ring = new DataRings.Ring(bytes);
      all.add(new Tap(worker, ring));
      worker.add(ring);
    }
    taps = List.copyOf(all);
  }

  /** It is told what workers do, whenever this is due. Once. */
  void meter(ActivityMeter meter) {
    this.meter = meter;
  }

  /** These are stopped when it leaves. Once. */
  void ticks(List<AutoCloseable> ticks) {
    this.ticks = List.copyOf(ticks);
  }

  /** How many events it was not told because it was too slow, data events among them. */
  public long dropped() {
    return dropped.get() + taps.stream().mapToLong(tap -> tap.ring().dropped()).sum();
  }

  /**
   * It is told nothing more: what waits for it is forgotten, and only what it is being told at this
   * moment may still go on. Also for the subscriber itself, while it is told something. Idempotent.
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
    OneToOneRingBuffer ring = tap.ring().buffer();
    MessageHandler handler =
        (type, buffer, index, length) ->
            tell(to -> DataEvents.tell(type - 1, worker, buffer, index, peers, to));
    // One read ends where the memory ends, and may find nothing but what fills the end.
    while (!closed && ring.size() > 0) {
      ring.read(handler, MOST_OF_RING);
    }
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

  /** No event comes any more: it is told what waits, and what was done in the last interval. */
  void finish() {
    onActivityTick();
    release();
    thread.shutdown();
  }

  /** Waits so long until it was told all that happened before; returns whether it was. */
  boolean awaitTold(long timeoutNs) throws InterruptedException {
    CountDownLatch told = new CountDownLatch(1);
    waiting.add(told);
    wish();
    return told.await(timeoutNs, TimeUnit.NANOSECONDS);
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
