package io.millrace.efa;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.HoldCause;
import io.millrace.driver.NotReadyBackoff;
import io.millrace.driver.NotReadySettings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Which destinations take no posts now: because the provider refuses posts, or because the receiver
 * is not ready. Each destination by itself; the handler hears once of the beginning and of the end
 * of an episode, and again after a post during the episode.
 *
 * <p>The driver does not keep refused writes. Where neither a train nor a write waits, {@link
 * #settle} ends the hold, so that the handler posts again; without a post, the episode ends, too.
 *
 * <p>Refusals shorter than {@link #NOTICE_NS} are ordinary, during a connection for example, and
 * the handler does not hear of them. Owned by the endpoint's thread; allocates only for a new
 * destination.
 */
final class PeerHolds {
  /**
   * The time limit of refused posts and of receivers that are not ready, ns: the posts to such a
   * destination fail afterwards.
   */
  static final long LIMIT_NS = 2_000_000_000L;

  /** Refusals without a break count as an episode after this time, ns. */
  static final long NOTICE_NS = 50_000_000L;

  /** The shortest hold that nothing but time ends, ns; a quarter of the refusals' time at least. */
  static final long RETRY_NS = 10_000_000L;

  private static final long NEVER = Long.MIN_VALUE;

  private final NotReadySettings settings;
  private final RandomGenerator random;
  private final ArrayDeque<PeerHold> news = new ArrayDeque<>();
  private final List<PeerHold> stalled = new ArrayList<>();
  private @Nullable PeerHold[] holds = new @Nullable PeerHold[16];
  private long[] refusedSinceNs = new long[16];
  private int unready;

  PeerHolds(NotReadySettings settings, RandomGenerator random) {
    this.settings = settings;
    this.random = random;
  }

  /** A new destination, or a new destination under a released number. */
  void onResolved(int destination) {
    if (destination >= holds.length) {
      int capacity = Math.max(destination + 1, holds.length * 2);
      holds = Arrays.copyOf(holds, capacity);
      refusedSinceNs = Arrays.copyOf(refusedSinceNs, capacity);
    }
    holds[destination] = new PeerHold(destination, new NotReadyBackoff(settings, random));
    refusedSinceNs[destination] = NEVER;
  }

  void onReleased(int destination) {
    PeerHold hold = hold(destination);
    unready -= hold.backoff.isUnready() ? 1 : 0;
    hold.isReleased = true;
  }

  private PeerHold hold(int destination) {
    PeerHold hold = holds[destination];
    if (hold == null) {
      throw new IllegalStateException("no such destination: " + destination);
    }
    return hold;
  }

  /** The handler posts to the destination, or wants to. */
  void onPosted(int destination) {
    if (!stalled.isEmpty()) {
      PeerHold hold = hold(destination);
      if (hold.reported != null) {
        hold.isPostedTo = true;
        tell(hold);
      }
    }
  }

  /** The provider took an operation for the destination. */
  void onAccepted(int destination) {
    if (refusedSinceNs[destination] != NEVER) {
      endRefusals(hold(destination));
    }
  }

  private void endRefusals(PeerHold hold) {
    refusedSinceNs[hold.destination] = NEVER;
    hold.isRefusedForTooLong = false;
    if (hold.cause == HoldCause.QUEUE_FULL) {
      change(hold, null);
    }
  }

  /**
   * The provider refused an operation for the destination. A refusal long after the last one begins
   * a new episode, unless something has waited meanwhile.
   *
   * @param isKept whether the driver keeps the operation for another attempt
   * @return whether the refusals have lasted too long
   */
  boolean onRefused(int destination, boolean isKept, long nowNs) {
    PeerHold hold = hold(destination);
    boolean isBreak = !hold.hasWaiting && nowNs - hold.quietSinceNs > NOTICE_NS;
    if (refusedSinceNs[destination] == NEVER || isBreak) {
      refusedSinceNs[destination] = nowNs;
      list(hold);
    }
    hold.quietSinceNs = nowNs;
    hold.hasWaiting |= isKept;
    long refusedNs = nowNs - refusedSinceNs[destination];
    boolean isOver = refusedNs > LIMIT_NS;
    hold.isRefusedForTooLong = isOver;
    if (isOver && hold.cause == HoldCause.QUEUE_FULL) {
      change(hold, null);
    } else if (!isOver && refusedNs >= NOTICE_NS && hold.cause == null) {
      change(hold, HoldCause.QUEUE_FULL);
    }
    return isOver;
  }

  /**
   * The receiver of an operation was not ready.
   *
   * @param isRepeat whether the operation was repeated before
   */
  void onNotReady(int destination, boolean isRepeat, long nowNs) {
    PeerHold hold = hold(destination);
    unready += hold.backoff.isUnready() ? 0 : 1;
    list(hold);
    // a destination given up gets single attempts
    boolean isGivenUp = hold.backoff.isUnreadyFor(LIMIT_NS, nowNs);
    hold.backoff.onNotReady(isRepeat || isGivenUp, nowNs);
    if (isGivenUp) {
      change(hold, null);
    } else if (hold.backoff.isWaiting(nowNs)) {
      change(hold, HoldCause.NOT_READY);
    }
  }

  /** An operation reached the destination. */
  void onSuccess(int destination) {
    onAccepted(destination);
    if (isUnready(destination)) {
      endUnready(hold(destination));
    }
  }

  private void endUnready(PeerHold hold) {
    unready--;
    hold.backoff.onSuccess();
    if (hold.cause == HoldCause.NOT_READY) {
      change(hold, null);
    }
  }

  private void list(PeerHold hold) {
    if (!hold.isListed) {
      hold.isListed = true;
      stalled.add(hold);
    }
  }

  private void change(PeerHold hold, @Nullable HoldCause cause) {
    hold.cause = cause;
    if (hold.reported != cause) {
      tell(hold);
    }
  }

  private void tell(PeerHold hold) {
    if (!hold.isNews) {
      hold.isNews = true;
      news.addLast(hold);
    }
  }

  /** Whether any destination may be stalled. */
  boolean hasStalled() {
    return !stalled.isEmpty();
  }

  /** Begins to find out for which destinations something waits. */
  void forgetWaiting() {
    for (int i = 0; i < stalled.size(); i++) {
      stalled.get(i).hasWaiting = false;
    }
  }

  /** A train or a write waits for the destination. */
  void onWaiting(int destination) {
    hold(destination).hasWaiting = true;
  }

  /**
   * Ends the holds and the episodes that no operation of the driver's own will end.
   *
   * @param underWay the number of operations under way to a destination
   */
  void settle(IntUnaryOperator underWay, long nowNs) {
    for (int i = stalled.size() - 1; i >= 0; i--) {
      PeerHold hold = stalled.get(i);
      if (!hold.isReleased) {
        settleRefused(hold, nowNs);
        boolean isIdle = !hold.hasWaiting && underWay.applyAsInt(hold.destination) == 0;
        settleUnready(hold, isIdle, nowNs);
      }
      if (hold.isReleased || !isStalled(hold.destination)) {
        hold.isListed = false;
        hold.hasWaiting = false;
        PeerHold last = stalled.removeLast();
        if (last != hold) {
          stalled.set(i, last);
        }
      }
    }
  }

  private void settleRefused(PeerHold hold, long nowNs) {
    long sinceNs = refusedSinceNs[hold.destination];
    if (sinceNs == NEVER || (hold.hasWaiting && !hold.isRefusedForTooLong)) {
      return;
    }
    boolean isHeld = hold.cause == HoldCause.QUEUE_FULL;
    long quietNs = nowNs - hold.quietSinceNs;
    if (hold.isRefusedForTooLong || quietNs > (isHeld ? LIMIT_NS : NOTICE_NS)) {
      endRefusals(hold);
    } else if (isHeld && quietNs >= Math.max(RETRY_NS, (hold.quietSinceNs - sinceNs) / 4)) {
      hold.quietSinceNs = nowNs;
      change(hold, null);
    }
  }

  private void settleUnready(PeerHold hold, boolean isIdle, long nowNs) {
    if (!isIdle || !hold.backoff.isUnready() || hold.backoff.isWaiting(nowNs)) {
      hold.restSinceNs = NEVER;
      return;
    }
    if (hold.cause == HoldCause.NOT_READY) {
      change(hold, null);
    }
    if (hold.restSinceNs == NEVER) {
      hold.restSinceNs = nowNs;
    } else if (nowNs - hold.restSinceNs > NOTICE_NS) {
      endUnready(hold);
    }
  }

  /** Whether the receiver of any destination is not ready. */
  boolean hasUnready() {
    return unready > 0;
  }

  /** Whether the destination refuses posts, or its receiver is not ready. */
  boolean isStalled(int destination) {
    return refusedSinceNs[destination] != NEVER || isUnready(destination);
  }

  /** Whether the destination's receiver is not ready. */
  boolean isUnready(int destination) {
    return unready > 0 && hold(destination).backoff.isUnready();
  }

  /** Whether nothing may be posted to the destination now, because its receiver is not ready. */
  boolean isWaiting(int destination, long nowNs) {
    return unready > 0 && hold(destination).backoff.isWaiting(nowNs);
  }

  /** Whether the destination's receiver has not been ready for too long. */
  boolean isGivenUp(int destination, long nowNs) {
    PeerHold hold = hold(destination);
    boolean isOver = hold.backoff.isUnreadyFor(LIMIT_NS, nowNs);
    if (isOver && hold.cause == HoldCause.NOT_READY) {
      change(hold, null);
    }
    return isOver;
  }

  /**
   * Tells of the episodes that have begun or ended since the last call, in their order. The next
   * call tells of news from the handler's own posts.
   */
  void report(CompletionHandler handler) {
    for (int left = news.size(); left > 0; left--) {
      PeerHold hold = news.removeFirst();
      hold.isNews = false;
      HoldCause cause = hold.cause;
      boolean isPostedTo = hold.isPostedTo;
      hold.isPostedTo = false;
      if (hold.isReleased || (hold.reported == cause && !isPostedTo)) {
        continue;
      }
      boolean isOver = hold.reported != null && hold.reported != cause;
      hold.reported = cause;
      if (isOver) {
        handler.onLetGo(hold.destination);
      }
      if (cause != null) {
        handler.onHeld(hold.destination, cause);
      }
    }
  }
}
