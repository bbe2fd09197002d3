package io.millrace.path.peer;

import io.millrace.config.PeerHealthSettings;
import io.millrace.path.call.CallLink;
import io.millrace.protocol.health.SharedPeerHealth;
import io.millrace.protocol.schedule.Timer;
import org.jspecify.annotations.Nullable;

/**
 * Looks for a peer that takes no calls and has no path: asks for a path now and then, while
 * somebody wants the peer. One timer for each peer; at rest while nobody wants the peer. On the
 * worker's thread.
 */
final class PeerSearch {
  private static final long MIX = 0x9E3779B97F4A7C15L;

  /** A quarter more or less than the period. */
  private static final int JITTER_SHIFT = 2;

  private final Seeker link;
  private final Timer timer = new Timer((fired, nowNs) -> onTimer(nowNs), 0);
  private PeerHealthSettings.@Nullable Search settings;
  private boolean isOn;
  private boolean isWanted;
  private long wantedNs;
  private long askedNs;
  private long periodNs;
  private long draws;

  /** The link to the peer, as seen by the search for the peer. */
  interface Seeker extends CallLink {
    /** The health of the peer. */
    SharedPeerHealth health();

    /** Whether a path is wanted, without an answer yet. */
    boolean isConnecting();

    /** A path is wanted. */
    void wantPath();
  }

  /** The search for the peer of this link. */
  PeerSearch(Seeker link) {
    this.link = link;
  }

  /** The worker's settings. */
  void onSettings(PeerHealthSettings.Search current) {
    settings = current;
  }

  /**
   * The peer has no path and takes no calls; does nothing during a search.
   *
   * @param seed the seed of the jitter; different for each peer and node
   */
  void start(long seed, long nowNs) {
    PeerHealthSettings.Search current = settings;
    if (!isOn && current != null) {
      isOn = true;
      draws = seed;
      periodNs = current.periodNs();
      askedNs = nowNs;
      schedule(nowNs);
    }
  }

  /** The peer has a path, or the node ends. */
  void stop() {
    isOn = false;
    link.disarm(timer);
  }

  /** Somebody wants the peer now. */
  void onWanted(long nowNs) {
    isWanted = true;
    wantedNs = nowNs;
    wake(nowNs);
  }

  /** Somebody wants the peer from now on. */
  void wake(long nowNs) {
    if (isOn && !timer.isScheduled() && !link.isConnecting()) {
      link.arm(timer, Math.max(nowNs, askedNs + periodNs));
    }
  }

  /** The peer was asked for a path, in vain. */
  void onFailed(long nowNs) {
    PeerHealthSettings.Search current = settings;
    if (isOn && current != null) {
      periodNs = Math.min(2 * periodNs, current.mostPeriodNs());
      askedNs = nowNs;
      schedule(nowNs);
    }
  }

  private void onTimer(long nowNs) {
    PeerHealthSettings.Search current = settings;
    if (isOn && current != null && isWantedNow(current, nowNs)) {
      askedNs = nowNs;
      link.wantPath();
    }
  }

  private boolean isWantedNow(PeerHealthSettings.Search current, long nowNs) {
    isWanted &= nowNs - wantedNs < current.interestNs();
    return isWanted || link.health().isWatched();
  }

  private void schedule(long nowNs) {
    link.arm(timer, nowNs + jittered(periodNs));
  }

  /** No randomness: two nodes in search of the same peer have different seeds. */
  private long jittered(long lengthNs) {
    draws += MIX;
    long mixed = (draws ^ draws >>> 30) * MIX;
    long range = Math.max(1, lengthNs >> JITTER_SHIFT);
    return lengthNs - range + Math.floorMod(mixed ^ mixed >>> 31, 2 * range);
  }
}
