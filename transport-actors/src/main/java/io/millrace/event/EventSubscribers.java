package io.millrace.event;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells every event to each subscriber, through a queue for each: see {@link EventSubscription}. In
 * a simulation a single subscriber may hear events where they happen. Any thread. Allocates nothing
 * while nobody is subscribed; else a single object for each event.
 */
public final class EventSubscribers extends EventFanOut implements AutoCloseable {
  /** Subscribers that hear the end of the transport have so long for the end together. */
  private static final long LONGEST_END_NS = 1_000_000_000;

  /** Names of ended paths are kept for data events that wait, up to this number. */
  private static final int CLOSED_PATHS = 1_000;

  private static final Duration DATA_TICK = Duration.ofMillis(10);

  private static final Set<EventKind> RARE =
      EnumSet.of(
          EventKind.RESOURCE_MISSING,
          EventKind.REGISTRATION_REFUSED,
          EventKind.REGISTRATION_RESTORED,
          EventKind.HANDSHAKE_REFUSED,
          EventKind.CERTIFICATES_RELOADED,
          EventKind.HANDLER_FAULT,
          EventKind.PEER_HEALTH,
          EventKind.WORKER_STOPPED,
          EventKind.NIC_CHANGED);

  private final Means means;
  private final ReducedModes reducedModes = new ReducedModes(super::onResourceMissing);
  private final AtomicLong thrown = new AtomicLong();
  private final Map<Long, String> peers = new ConcurrentHashMap<>();
  private final BlockingQueue<Long> closedPaths = new ArrayBlockingQueue<>(CLOSED_PATHS);
  private @Nullable TransportEvents direct;
  private List<WorkerProbe> probes = List.of();
  private List<DataEvents> workers = List.of();
  private List<Early> early = List.of();
  private volatile List<EventSubscription> others = List.of();
  private volatile List<EventSubscription> ofRare = List.of();
  private boolean closed;

  /**
   * The means of subscriptions.
   *
   * @param report receives exceptions of subscribers; must not throw
   * @param threads makes an executor of a single thread, which is shut down when the subscriber
   *     leaves
   * @param ticks runs a task at intervals, until the returned object is closed; the task returns at
   *     once
   * @param clock the node's time, ns
   */
  public record Means(
      Consumer<Throwable> report,
      Supplier<ExecutorService> threads,
      Ticks ticks,
      LongSupplier clock) {}

  /** Runs tasks at intervals. */
  @FunctionalInterface
  public interface Ticks {
    /** Runs the task after each interval, until the returned object is closed. */
    AutoCloseable every(Duration interval, Runnable task);
  }

  /** A subscription from before the start of the workers. */
  private record Early(EventSubscription subscription, SubscriptionOptions options) {}

  /** Nobody is subscribed so far. */
  public EventSubscribers(Means means) {
    this.means = means;
  }

  /** Tells this subscriber events where they happen, data events included. Only before all else. */
  public void direct(TransportEvents subscriber) {
    if (!subscriber.equals(NONE)) {
      direct = subscriber;
    }
  }

  /** The workers are about to run. */
  public synchronized void onWorkers(List<WorkerProbe> probes, List<DataEvents> workers) {
    this.probes = List.copyOf(probes);
    this.workers = List.copyOf(workers);
    if (direct != null) {
      DataRings.Direct direct =
          (kind, worker, from) ->
              tellDirect(to -> DataEvents.tell(kind, worker, from, 0, this::peerOf, to));
      workers.forEach(each -> each.direct(direct));
    }
    early.forEach(each -> attach(each.subscription(), each.options()));
    early = List.of();
  }

  /**
   * Subscribes this subscriber, too, to events from now on.
   *
   * @throws IllegalStateException once closed
   */
  public synchronized EventSubscription add(
      TransportEvents subscriber, SubscriptionOptions options) {
    EventSubscription added = subscription(subscriber, options.queuedEvents());
    if (workers.isEmpty()) {
      early = with(early, new Early(added, options));
    } else {
      attach(added, options);
    }
    others = with(others, added);
    return added;
  }

  private void attach(EventSubscription added, SubscriptionOptions options) {
    List<AutoCloseable> ticks = new ArrayList<>();
    if (options.dataBytes() > 0) {
      added.tap(workers, options.dataBytes());
      ticks.add(means.ticks().every(DATA_TICK, added::onDataTick));
    }
    if (!options.activityEvery().isZero()) {
      added.meter(new ActivityMeter(probes, means.clock()));
      ticks.add(means.ticks().every(options.activityEvery(), added::onActivityTick));
    }
    added.ticks(ticks);
  }

  /**
   * As {@link #add}, but only for seldom events: refused handshakes, handlers' faults, peers'
   * health, missing resources, refused registrations, certificates, NICs and stopped workers. Such
   * a subscription costs the other events nothing.
   */
  public synchronized EventSubscription addForRare(TransportEvents subscriber, int queuedEvents) {
    EventSubscription added = subscription(subscriber, queuedEvents);
    ofRare = with(ofRare, added);
    return added;
  }

  private EventSubscription subscription(TransportEvents subscriber, int queuedEvents) {
    if (closed) {
      throw new IllegalStateException("the transport was closed");
    }
    return new EventSubscription(
        subscriber,
        queuedEvents,
        means.threads().get(),
        this::peerOf,
        this::remove,
        means.report());
  }

  private static <T> List<T> with(List<T> some, T one) {
    List<T> all = new ArrayList<>(some);
    all.add(one);
    return List.copyOf(all);
  }

  private synchronized void remove(EventSubscription leaving) {
    others = others.stream().filter(each -> !each.equals(leaving)).toList();
    ofRare = ofRare.stream().filter(each -> !each.equals(leaving)).toList();
    early = early.stream().filter(each -> !each.subscription().equals(leaving)).toList();
  }

  /**
   * No more events happen: each remaining subscriber is told the waiting events, and leaves. Waits
   * for a second at most. Idempotent.
   */
  @Override
  public void close() {
    List<EventSubscription> left;
    synchronized (this) {
      closed = true;
      left = all();
    }
    left.forEach(EventSubscription::finish);
    long timeoutNs = LONGEST_END_NS;
    for (EventSubscription each : left) {
      // A subscriber behind a subscriber that was too slow has had the time, too.
      timeoutNs = each.awaitEnd(timeoutNs) ? timeoutNs : 0;
    }
  }

  private List<EventSubscription> all() {
    List<EventSubscription> all = new ArrayList<>(others);
    all.addAll(ofRare);
    return all;
  }

  @Override
  protected boolean wants(EventKind kind) {
    return direct != null || !others.isEmpty() || !ofRare.isEmpty() && RARE.contains(kind);
  }

  @Override
  protected void tell(EventKind kind, Consumer<TransportEvents> event) {
    tellDirect(event);
    for (EventSubscription other : others) {
      other.offer(event);
    }
    if (RARE.contains(kind)) {
      for (EventSubscription other : ofRare) {
        other.offer(event);
      }
    }
  }

  private void tellDirect(Consumer<TransportEvents> event) {
    TransportEvents listener = direct;
    if (listener == null) {
      return;
    }
    try {
      event.accept(listener);
    } catch (RuntimeException | Error e) {
      if (Long.bitCount(thrown.incrementAndGet()) == 1) {
        means.report().accept(e);
      }
    }
  }

  @Override
  public void onPathOpened(int worker, String peer, long pathId) {
    peers.put(pathId, peer);
    super.onPathOpened(worker, peer, pathId);
  }

  @Override
  public void onPathClosed(int worker, String peer, long pathId, String reason) {
    while (!closedPaths.offer(pathId)) {
      Long oldest = closedPaths.poll();
      if (oldest != null) {
        peers.remove(oldest);
      }
    }
    super.onPathClosed(worker, peer, pathId, reason);
  }

  private String peerOf(long path) {
    return peers.getOrDefault(path, "");
  }

  @Override
  public void onDriverPassedOver(String driver, String reason) {
    super.onDriverPassedOver(driver, reason);
    reducedModes.onDriverPassedOver(driver, reason);
  }

  @Override
  public void onResourceMissing(String resource, String reason, String mode) {
    reducedModes.onResourceMissing(resource, reason, mode);
  }

  @Override
  public void onPinFailed(int worker, int core, String reason) {
    super.onPinFailed(worker, core, reason);
    reducedModes.onPinFailed(core, reason);
  }

  @Override
  public void onResourceDegraded(int worker, String what) {
    super.onResourceDegraded(worker, what);
    reducedModes.onDegraded(what);
  }

  @Override
  public void onRegistrationRefused(
      int worker,
      String memory,
      String cause,
      long wantedBytes,
      long registeredBytes,
      String reason,
      String remedy) {
    super.onRegistrationRefused(
        worker, memory, cause, wantedBytes, registeredBytes, reason, remedy);
    reducedModes.onRegistrationRefused(memory, cause);
  }

  /** The process may end next: waits until all were told, a second at most. */
  @Override
  public void onWorkerHung(int worker, String thread, long hungNs, String stack) {
    super.onWorkerHung(worker, thread, hungNs, stack);
    try {
      awaitTold(LONGEST_END_NS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits so long until all subscribers were told the earlier events; returns whether all were
   * told.
   */
  public boolean awaitTold(long timeoutNs) throws InterruptedException {
    long endNs = means.clock().getAsLong() + timeoutNs;
    boolean isTold = true;
    for (EventSubscription each : all()) {
      isTold &= each.awaitTold(endNs - means.clock().getAsLong());
    }
    return isTold;
  }
}
