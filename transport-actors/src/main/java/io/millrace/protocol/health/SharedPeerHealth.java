package io.millrace.protocol.health;

import io.millrace.transfer.PeerHealth;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * The health of a peer, for all paths to the peer on every worker, and for any other reader: a
 * {@link HealthWord}, changed by compare-and-set. The thread that makes a change tells the
 * listener, so each change is told once however many threads observe its cause. Any thread; no
 * lock. Allocates for a change only.
 */
public final class SharedPeerHealth {
  private static final long NEVER = Long.MIN_VALUE;
  private static final int NOT_BEGUN = 0;
  private static final VarHandle WORD = field("word", long.class);
  private static final VarHandle BASE = field("baseNs", long.class);
  private static final VarHandle HEARD = field("heardNs", long.class);
  private static final VarHandle WATCHERS = field("watchers", List.class);

  private final String peer;
  private final HealthSettings settings;
  private final HealthListener listener;
  private volatile long word = HealthWord.INITIAL;
  private volatile long baseNs = NEVER;

  /**
   * When a packet of the peer came last, on any path. Several threads write the time, opaquely; the
   * loss of a simultaneous write does no harm.
   */
  @SuppressWarnings("UnusedVariable") // HEARD reads and writes the field.
  private long heardNs = NEVER;

  private volatile List<HealthListener> watchers = List.of();

  private volatile long smoothedRttNs = NOT_BEGUN;

  /** A healthy peer. */
  public SharedPeerHealth(String peer, HealthSettings settings, HealthListener listener) {
    this.peer = peer;
    this.settings = settings;
    this.listener = listener;
  }

  private static VarHandle field(String name, Class<?> type) {
    try {
      return MethodHandles.lookup().findVarHandle(SharedPeerHealth.class, name, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The peer's handshake address. */
  public String peer() {
    return peer;
  }

  /** The state. */
  public PeerHealth state() {
    return HealthWord.state(word);
  }

  /** The present word, for a reader that wants several values of the same moment. */
  public long word() {
    return word;
  }

  /** When this state was entered, by the node's clock; 0 for the first state. */
  public long sinceNs(long seen) {
    long base = baseNs;
    return base == NEVER ? 0 : base + HealthWord.sinceNs(seen);
  }

  /** The smoothed round trip that a path told last, ns; 0 if no path did. */
  public long smoothedRttNs() {
    return smoothedRttNs;
  }

  /** Whether a packet of the peer came on any path within so long. */
  public boolean wasHeardWithin(long durationNs, long nowNs) {
    long lastNs = (long) HEARD.getOpaque(this);
    return lastNs != NEVER && nowNs - lastNs < durationNs;
  }

  /** An authentic packet of the peer came. */
  public void onHeard(long nowNs) {
    HEARD.setOpaque(this, nowNs);
  }

  /** The outcomes of packets since the path's last report; see {@link HealthWord#onOutcomes}. */
  public void onOutcomes(int worker, long succeeded, long failed, long rttNs, long nowNs) {
    smoothedRttNs = rttNs;
    long base = baseNs(nowNs);
    long seen = word;
    long next = HealthWord.onOutcomes(seen, succeeded, failed, sinceBase(base, nowNs), settings);
    while (!WORD.compareAndSet(this, seen, next)) {
      seen = word;
      next = HealthWord.onOutcomes(seen, succeeded, failed, sinceBase(base, nowNs), settings);
    }
    String cause = failed > succeeded ? "packets fail" : "packets arrive";
    tell(worker, seen, next, nowNs, cause);
  }

  /** A probe, or a handshake of a peer that was given up, was answered. */
  public void onProbeAnswered(int worker, long nowNs) {
    long base = baseNs(nowNs);
    long seen = word;
    long next = HealthWord.onProbeAnswered(seen, sinceBase(base, nowNs), settings);
    while (!WORD.compareAndSet(this, seen, next)) {
      seen = word;
      next = HealthWord.onProbeAnswered(seen, sinceBase(base, nowNs), settings);
    }
    tell(worker, seen, next, nowNs, "it answers");
  }

  /** Something was observed, for a reason that a person can read. */
  public void on(int worker, HealthObservation observation, long nowNs, String cause) {
    long base = baseNs(nowNs);
    long seen = word;
    long next = HealthWord.on(seen, observation, sinceBase(base, nowNs));
    while (!WORD.compareAndSet(this, seen, next)) {
      seen = word;
      next = HealthWord.on(seen, observation, sinceBase(base, nowNs));
    }
    tell(worker, seen, next, nowNs, cause);
  }

  /** Tells this listener, too, until {@link #unwatch}; the listener must not throw. */
  public void watch(HealthListener watcher) {
    List<HealthListener> seen;
    List<HealthListener> next;
    do {
      seen = watchers;
      next = new ArrayList<>(seen);
      next.add(watcher);
    } while (!WATCHERS.compareAndSet(this, seen, List.copyOf(next)));
  }

  /** Tells this listener no more. */
  public void unwatch(HealthListener watcher) {
    List<HealthListener> seen;
    List<HealthListener> next;
    do {
      seen = watchers;
      next = seen.stream().filter(each -> !each.equals(watcher)).toList();
    } while (!WATCHERS.compareAndSet(this, seen, next));
  }

  /** Whether somebody watches. */
  public boolean isWatched() {
    return !watchers.isEmpty();
  }

  /**
   * The first observation begins the word's time; an earlier observation of another thread counts
   * as equally old.
   */
  private long baseNs(long nowNs) {
    long base = baseNs;
    if (base == NEVER) {
      BASE.compareAndSet(this, NEVER, nowNs);
      base = baseNs;
    }
    return base;
  }

  private static long sinceBase(long base, long nowNs) {
    return Math.max(0, nowNs - base);
  }

  private void tell(int worker, long seen, long next, long nowNs, String cause) {
    PeerHealth from = HealthWord.state(seen);
    PeerHealth to = HealthWord.state(next);
    if (from != to) {
      double rate = HealthWord.failureRate(next);
      HealthListener.Change change =
          new HealthListener.Change(peer, worker, from, to, nowNs, rate, smoothedRttNs, cause);
      listener.onChange(change);
      watchers.forEach(watcher -> watcher.onChange(change));
    }
  }
}
