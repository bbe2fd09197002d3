package io.millrace.protocol.session;

import java.util.Arrays;

/**
 * Decides which of its rails a path uses; rules N-5 to N-9. Rails are numbered from the best, 0.
 * Either side may move the path, and tells the other side with a number that only grows: the higher
 * number counts, of two equal numbers the initiator's. A failed rail is left alone for a time that
 * doubles with each failure, then tried with a packet; the path goes back when this packet is
 * acknowledged. Owned by the path's worker. No clock; does not allocate after construction.
 */
public final class PathRails {
  private static final long NEVER = Long.MAX_VALUE;
  private static final int NONE = -1;
  private static final int MOST_DOUBLINGS = 16;
  private static final int MOST_OBJECTIONS = 4;

  private final RailSettings settings;
  private final boolean isInitiator;

  /** The endpoint of each side on each rail. */
  private final int[] local;

  private final int[] remote;
  private final boolean[] isDown;
  private final long[] heldUntilNs;
  private final int[] failures;

  /** The rails whose last failure was a refusal by the network. */
  private final boolean[] isRefused;

  private int rail;

  /** The time when the path took the rail in use. */
  private long sinceNs;

  private long number;
  private boolean isTold = true;

  /** The number of times that the peer was told that this side cannot follow. */
  private int objections;

  private int tried = NONE;
  private boolean isTryWanted;
  private long tryEndsNs;

  /**
   * Uses the first of these rails.
   *
   * @param local the endpoint of this side on each rail
   * @param remote the endpoint of the peer on each rail
   */
  public PathRails(
      int[] local, int[] remote, boolean isInitiator, RailSettings settings, long nowNs) {
    int rails = local.length;
    this.local = local.clone();
    this.remote = remote.clone();
    this.settings = settings;
    this.isInitiator = isInitiator;
    isDown = new boolean[rails];
    heldUntilNs = new long[rails];
    failures = new int[rails];
    isRefused = new boolean[rails];
    Arrays.fill(heldUntilNs, nowNs);
    sinceNs = nowNs;
  }

  /** The rail in use. */
  public int rail() {
    return rail;
  }

  /** The number of moves of the path, as both sides count moves. */
  public long number() {
    return number;
  }

  /** Whether the peer is to be told of the rail. */
  public boolean isTellingDue() {
    return !isTold;
  }

  /** The peer is to be told of the rail once more, because something about the rail is news. */
  public void tellAgain() {
    isTold = false;
  }

  /** The peer is being told. */
  public void onTold() {
    isTold = true;
  }

  /** The frame that told the peer was lost. */
  public void onTellingLost(long lostNumber) {
    if (lostNumber == number) {
      isTold = false;
    }
  }

  /** Whether this side's NIC of any rail is up. */
  public boolean hasRail() {
    for (boolean down : isDown) {
      if (!down) {
        return true;
      }
    }
    return false;
  }

  /**
   * This side's NIC of a rail went down or came up.
   *
   * @return whether the path uses another rail now
   */
  public boolean onLocal(int changed, boolean isUp, long nowNs) {
    if (isDown[changed] == !isUp) {
      return false;
    }
    isDown[changed] = !isUp;
    if (isUp) {
      // A held rail is better than a rail that is down.
      return isDown[rail] && leaveTo(best(nowNs, rail), nowNs);
    }
    if (changed == tried) {
      tried = NONE;
    }
    hold(changed, nowNs);
    return changed == rail && leave(nowNs);
  }

  /**
   * Nothing is acknowledged on the rail in use, though something should be.
   *
   * @return whether the path uses another rail now
   */
  public boolean onSilence(long nowNs) {
    hold(rail, nowNs);
    return leave(nowNs);
  }

  /**
   * The network says that nobody takes packets at the peer's end of the rail in use. The path goes
   * to another rail, unless the network has lately refused packets on each other rail that is up.
   *
   * @return whether the path uses another rail now; false if no rail is left
   */
  public boolean onRefused(long nowNs) {
    boolean isAnyLeft = false;
    for (int other = 0; other < isDown.length; other++) {
      isAnyLeft |= other != rail && !isDown[other] && !isCondemned(other, nowNs);
    }
    if (!isAnyLeft) {
      return false;
    }
    return onUnusable(nowNs);
  }

  /**
   * The driver cannot use the peer's address of the rail in use: the rail counts as refused.
   *
   * @return whether the path uses another rail now
   */
  public boolean onUnusable(long nowNs) {
    int refused = rail;
    hold(refused, nowNs);
    isRefused[refused] = true;
    return leave(nowNs);
  }

  /** The path begins with this rail, because the driver cannot use the rails before. */
  public void start(int first, long nowNs) {
    if (first != rail) {
      rail = first;
      for (int better = 0; better < first; better++) {
        hold(better, nowNs);
      }
      insist();
    }
  }

  /** The side that opened a path with other preferences tells the peer of the preferred rail. */
  public void insist() {
    number++;
    isTold = false;
  }

  /**
   * The peer uses this rail from now on, or a rail that this side does not have: {@value #NONE}.
   *
   * @return whether the path uses another rail now
   */
  public boolean onPeer(long peerNumber, int peerRail, long nowNs) {
    if (peerNumber < number || (peerNumber == number && (isInitiator || peerRail == rail))) {
      return false;
    }
    number = peerNumber;
    isTold = true;
    if (peerRail == NONE || isDown[peerRail]) {
      // This side cannot follow the peer to the rail, unless nothing is up: then nothing is lost by
      // agreeing.
      int next = best(nowNs, NONE);
      boolean stays = next == NONE || next == rail;
      if (stays && peerRail == NONE) {
        // Two sides without a rail that both want keep their own: packets are taken from each.
        if (objections < MOST_OBJECTIONS) {
          objections++;
          insist();
        }
        return false;
      }
      if (next != NONE) {
        return leaveTo(next, nowNs);
      }
    }
    boolean isOther = rail != peerRail;
    if (isOther && peerRail > rail) {
      hold(rail, nowNs);
      holdBetter(peerRail, rail);
    }
    rail = peerRail;
    sinceNs = nowNs;
    tried = NONE;
    return isOther;
  }

  /** The packet that tried a rail was acknowledged; returns whether the path uses this rail now. */
  public boolean onTryAnswered(int answered, long nowNs) {
    if (answered != tried || isDown[answered]) {
      return false;
    }
    tried = NONE;
    return leaveTo(answered, nowNs);
  }

  /** Time has passed. */
  public void onDeadline(long nowNs) {
    if (tried != NONE) {
      if (nowNs - tryEndsNs >= 0) {
        hold(tried, nowNs);
        tried = NONE;
      }
      return;
    }
    for (int better = 0; better < rail; better++) {
      if (!isDown[better] && isFree(better, nowNs)) {
        tried = better;
        isTryWanted = true;
        tryEndsNs = nowNs + settings.silenceNs();
        return;
      }
    }
  }

  /** The rail that a packet is to try now, or {@value #NONE}. */
  public int pollTry() {
    if (!isTryWanted) {
      return NONE;
    }
    isTryWanted = false;
    return tried;
  }

  /** The log had no room for the packet of {@link #pollTry}: a little later, perhaps. */
  public void onTryUnsent(long nowNs) {
    if (tried != NONE) {
      heldUntilNs[tried] = nowNs + settings.silenceNs();
      tried = NONE;
    }
  }

  /** The time when {@link #onDeadline} has something to do, ns. */
  public long nextDeadlineNs() {
    if (tried != NONE) {
      return tryEndsNs;
    }
    long nextNs = NEVER;
    for (int better = 0; better < rail; better++) {
      if (!isDown[better]) {
        nextNs = Math.min(nextNs, heldUntilNs[better]);
      }
    }
    return nextNs;
  }

  /** A rail that served for as long as the longest hold has no past. */
  private void hold(int failed, long nowNs) {
    isRefused[failed] = false;
    if (failed == rail && nowNs - sinceNs >= settings.longestHoldNs()) {
      failures[failed] = 0;
    }
    int doublings = Math.min(failures[failed]++, MOST_DOUBLINGS);
    heldUntilNs[failed] =
        nowNs + Math.min(settings.firstHoldNs() << doublings, settings.longestHoldNs());
  }

  private boolean isFree(int candidate, long nowNs) {
    return nowNs - heldUntilNs[candidate] >= 0;
  }

  private boolean isCondemned(int candidate, long nowNs) {
    return isRefused[candidate] && !isFree(candidate, nowNs);
  }

  private boolean leave(long nowNs) {
    tried = NONE;
    int failed = rail;
    int next = best(nowNs, failed);
    holdBetter(next, failed);
    return leaveTo(next, nowNs);
  }

  /**
   * These rails share an end with the failed rail: the failed rail is the first to be tried again.
   */
  private void holdBetter(int than, int failed) {
    for (int better = 0; better < than; better++) {
      if (heldUntilNs[better] < heldUntilNs[failed]) {
        heldUntilNs[better] = heldUntilNs[failed];
      }
    }
  }

  /**
   * The best rail that is up and not held, preferably a rail apart from the failed rail; or else
   * the rail held the shortest, or {@value #NONE}.
   */
  private int best(long nowNs, int except) {
    int up = NONE;
    int free = NONE;
    for (int candidate = 0; candidate < isDown.length; candidate++) {
      if (candidate == except || isDown[candidate]) {
        continue;
      }
      if (isFree(candidate, nowNs)) {
        if (except == NONE || isApart(candidate, except)) {
          return candidate;
        }
        free = free == NONE ? candidate : free;
      }
      up = up == NONE || isSooner(candidate, up, nowNs) ? candidate : up;
    }
    return free == NONE ? up : free;
  }

  /** Whether a held rail may work sooner than another; a refused rail comes last. */
  private boolean isSooner(int one, int other, long nowNs) {
    boolean isCondemned = isCondemned(one, nowNs);
    return isCondemned == isCondemned(other, nowNs)
        ? heldUntilNs[one] < heldUntilNs[other]
        : !isCondemned;
  }

  /** The guilty end of a failed rail is not known: two rails without a common end fail apart. */
  private boolean isApart(int one, int other) {
    return local[one] != local[other] && remote[one] != remote[other];
  }

  private boolean leaveTo(int next, long nowNs) {
    if (next == NONE) {
      return false;
    }
    boolean isOther = next != rail;
    rail = next;
    sinceNs = nowNs;
    number++;
    isTold = false;
    assert invariantsHold();
    return isOther;
  }

  private boolean invariantsHold() {
    return rail >= 0 && rail < isDown.length && number >= 0 && tried < isDown.length;
  }
}
