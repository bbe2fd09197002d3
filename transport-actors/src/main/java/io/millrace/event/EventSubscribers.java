package io.millrace.event;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Tells every event to a first subscriber, on the thread where it happened, and to those that come
 * and go while the node runs, each through a queue of its own: see {@link EventSubscription}. Any
 * thread. While there is none but the first it allocates nothing; else one object for each event.
 */
public final class EventSubscribers implements TransportEvents, AutoCloseable {
  /** Those who hear the end of the transport have so long for it together. */
  private static final long LONGEST_END_NS = 1_000_000_000;

  private final TransportEvents first;
  private final Consumer<Throwable> report;
  private final Supplier<ExecutorService> threads;
  private volatile List<EventSubscription> others = List.of();
  private volatile List<EventSubscription> ofRare = List.of();
  private boolean closed;

  /**
   * Events that only {@code first} sees so far.
   *
   * @param first must not throw
   * @param report is given what another subscriber throws; must not throw
   * @param threads makes an executor of one thread, which is shut down when its subscriber leaves
   */
  public EventSubscribers(
      TransportEvents first, Consumer<Throwable> report, Supplier<ExecutorService> threads) {
    this.first = first;
    this.report = report;
    this.threads = threads;
  }

  /**
   * Tells this one, too, what happens from now on.
   *
   * @param queuedEvents how many may wait for it, 2 or more
   * @throws IllegalArgumentException if that is less
   * @throws IllegalStateException once closed
   */
  public synchronized EventSubscription add(TransportEvents subscriber, int queuedEvents) {
    EventSubscription added = subscription(subscriber, queuedEvents);
    others = with(others, added);
    return added;
  }

  /**
   * As {@link #add}, but of refused handshakes, of handlers' faults and of peers' health alone,
   * which come seldom: it costs the other events nothing.
   */
  public synchronized EventSubscription addForRare(TransportEvents subscriber, int queuedEvents) {
    EventSubscription added = subscription(subscriber, queuedEvents);
    ofRare = with(ofRare, added);
    return added;
  }

  private EventSubscription subscription(TransportEvents subscriber, int queuedEvents) {
    if (queuedEvents < 2) {
      throw new IllegalArgumentException("2 or more events may wait, not " + queuedEvents);
    }
    if (closed) {
      throw new IllegalStateException("the transport was closed");
    }
    return new EventSubscription(
        GuardedEvents.of(subscriber, report), queuedEvents, threads.get(), this::remove);
  }

  private static <T> List<T> with(List<T> some, T one) {
    List<T> all = new ArrayList<>(some);
    all.add(one);
    return List.copyOf(all);
  }

  private synchronized void remove(EventSubscription leaving) {
    others = others.stream().filter(each -> !each.equals(leaving)).toList();
    ofRare = ofRare.stream().filter(each -> !each.equals(leaving)).toList();
  }

  /**
   * Nothing happens any more: who has not left is told what waits for it, and leaves. Waits for a
   * second at most. Idempotent.
   */
  @Override
  public void close() {
    List<EventSubscription> left;
    synchronized (this) {
      closed = true;
      left = new ArrayList<>(others);
      left.addAll(ofRare);
      others = List.of();
      ofRare = List.of();
    }
    left.forEach(EventSubscription::finish);
    long timeoutNs = LONGEST_END_NS;
    for (EventSubscription each : left) {
      // Whoever comes after one that was too slow has had the time, too.
      timeoutNs = each.awaitEnd(timeoutNs) ? timeoutNs : 0;
    }
  }

  private boolean hasOthers() {
    return !others.isEmpty();
  }

  private void tell(Consumer<TransportEvents> event) {
    for (EventSubscription other : others) {
      other.offer(event);
    }
  }

  private void tellRare(Consumer<TransportEvents> event) {
    tell(event);
    for (EventSubscription other : ofRare) {
      other.offer(event);
    }
  }

  @Override
  public void onDriverPassedOver(String driver, String reason) {
    first.onDriverPassedOver(driver, reason);
    if (hasOthers()) {
      tell(other -> other.onDriverPassedOver(driver, reason));
    }
  }

  @Override
  public void onWorkerStarted(int worker, String thread, int core) {
    first.onWorkerStarted(worker, thread, core);
    if (hasOthers()) {
      tell(other -> other.onWorkerStarted(worker, thread, core));
    }
  }

  @Override
  public void onPinFailed(int worker, int core, String reason) {
    first.onPinFailed(worker, core, reason);
    if (hasOthers()) {
      tell(other -> other.onPinFailed(worker, core, reason));
    }
  }

  @Override
  public void onMemoryPlaced(int worker, int node, long remoteBytes) {
    first.onMemoryPlaced(worker, node, remoteBytes);
    if (hasOthers()) {
      tell(other -> other.onMemoryPlaced(worker, node, remoteBytes));
    }
  }

  @Override
  public void onResourceDegraded(int worker, String what) {
    first.onResourceDegraded(worker, what);
    if (hasOthers()) {
      tell(other -> other.onResourceDegraded(worker, what));
    }
  }

  @Override
  public void onHandshakeStarted(String peer) {
    first.onHandshakeStarted(peer);
    if (hasOthers()) {
      tell(other -> other.onHandshakeStarted(peer));
    }
  }

  @Override
  public void onHandshakeCompleted(String peer, long rttNs) {
    first.onHandshakeCompleted(peer, rttNs);
    if (hasOthers()) {
      tell(other -> other.onHandshakeCompleted(peer, rttNs));
    }
  }

  @Override
  public void onHandshakeFailed(String peer, String reason) {
    first.onHandshakeFailed(peer, reason);
    if (hasOthers()) {
      tell(other -> other.onHandshakeFailed(peer, reason));
    }
  }

  @Override
  public void onHandshakeRefused(String remote, String reason, long count) {
    first.onHandshakeRefused(remote, reason, count);
    tellRare(other -> other.onHandshakeRefused(remote, reason, count));
  }

  @Override
  public void onHandshakeFault(Throwable fault) {
    first.onHandshakeFault(fault);
    if (hasOthers()) {
      tell(other -> other.onHandshakeFault(fault));
    }
  }

  @Override
  public void onPathOpened(int worker, String peer, long pathId) {
    first.onPathOpened(worker, peer, pathId);
    if (hasOthers()) {
      tell(other -> other.onPathOpened(worker, peer, pathId));
    }
  }

  @Override
  public void onPathClosed(int worker, String peer, long pathId, String reason) {
    first.onPathClosed(worker, peer, pathId, reason);
    if (hasOthers()) {
      tell(other -> other.onPathClosed(worker, peer, pathId, reason));
    }
  }

  @Override
  public void onPeerFault(int worker, String peer, Throwable fault) {
    first.onPeerFault(worker, peer, fault);
    if (hasOthers()) {
      tell(other -> other.onPeerFault(worker, peer, fault));
    }
  }

  @Override
  public void onCompletionFault(int worker, String peer, Throwable fault) {
    first.onCompletionFault(worker, peer, fault);
    if (hasOthers()) {
      tell(other -> other.onCompletionFault(worker, peer, fault));
    }
  }

  @Override
  public void onHandlerFault(
      String peer, String route, String pattern, Throwable fault, long count) {
    first.onHandlerFault(peer, route, pattern, fault, count);
    tellRare(other -> other.onHandlerFault(peer, route, pattern, fault, count));
  }

  @Override
  public void onPeerHealthChanged(int worker, String peer, String from, String to) {
    first.onPeerHealthChanged(worker, peer, from, to);
    tellRare(other -> other.onPeerHealthChanged(worker, peer, from, to));
  }

  @Override
  public void onPeerDraining(int worker, String peer) {
    first.onPeerDraining(worker, peer);
    if (hasOthers()) {
      tell(other -> other.onPeerDraining(worker, peer));
    }
  }

  @Override
  public void onPeerUnreachable(int worker, String peer) {
    first.onPeerUnreachable(worker, peer);
    if (hasOthers()) {
      tell(other -> other.onPeerUnreachable(worker, peer));
    }
  }

  @Override
  public void onProtocolViolation(int worker, String peer, String what) {
    first.onProtocolViolation(worker, peer, what);
    if (hasOthers()) {
      tell(other -> other.onProtocolViolation(worker, peer, what));
    }
  }

  @Override
  public void onPacketDropped(int worker, DropReason reason) {
    first.onPacketDropped(worker, reason);
    if (hasOthers()) {
      tell(other -> other.onPacketDropped(worker, reason));
    }
  }

  @Override
  public void onPacketLost(int worker, String peer, long packetNumber, int bytes) {
    first.onPacketLost(worker, peer, packetNumber, bytes);
    if (hasOthers()) {
      tell(other -> other.onPacketLost(worker, peer, packetNumber, bytes));
    }
  }

  @Override
  public void onWriteRejected(int worker, String peer, String reason, int region) {
    first.onWriteRejected(worker, peer, reason, region);
    if (hasOthers()) {
      tell(other -> other.onWriteRejected(worker, peer, reason, region));
    }
  }

  @Override
  public void onStaleWrite(int worker, String peer, String reason, int region, long count) {
    first.onStaleWrite(worker, peer, reason, region, count);
    if (hasOthers()) {
      tell(other -> other.onStaleWrite(worker, peer, reason, region, count));
    }
  }

  @Override
  public void onRecordNotAuthentic(int worker, String peer, int region, int record) {
    first.onRecordNotAuthentic(worker, peer, region, record);
    if (hasOthers()) {
      tell(other -> other.onRecordNotAuthentic(worker, peer, region, record));
    }
  }

  @Override
  public void onKeyRotated(int worker, String peer, int keyId) {
    first.onKeyRotated(worker, peer, keyId);
    if (hasOthers()) {
      tell(other -> other.onKeyRotated(worker, peer, keyId));
    }
  }

  @Override
  public void onPathMaxDatagramChanged(int worker, String peer, int bytes) {
    first.onPathMaxDatagramChanged(worker, peer, bytes);
    if (hasOthers()) {
      tell(other -> other.onPathMaxDatagramChanged(worker, peer, bytes));
    }
  }

  @Override
  public void onBufferLeaked(String owner, long bytes, int references) {
    first.onBufferLeaked(owner, bytes, references);
    if (hasOthers()) {
      tell(other -> other.onBufferLeaked(owner, bytes, references));
    }
  }

  @Override
  public void onDependencyFailed(int worker, String token, String root) {
    first.onDependencyFailed(worker, token, root);
    if (hasOthers()) {
      tell(other -> other.onDependencyFailed(worker, token, root));
    }
  }

  @Override
  public void onScopeLeaked(int open) {
    first.onScopeLeaked(open);
    if (hasOthers()) {
      tell(other -> other.onScopeLeaked(open));
    }
  }

  @Override
  public void onWorkerStopped(int worker, String reason) {
    first.onWorkerStopped(worker, reason);
    if (hasOthers()) {
      tell(other -> other.onWorkerStopped(worker, reason));
    }
  }

  @Override
  public void onWorkerFault(int worker, Throwable fault) {
    first.onWorkerFault(worker, fault);
    if (hasOthers()) {
      tell(other -> other.onWorkerFault(worker, fault));
    }
  }
}
