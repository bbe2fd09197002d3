package io.millrace.ends.retry;

import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.RetryPolicy;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The retries that the calls to one peer may still make, for each route. A budget counts the lent
 * retries: a retry borrows one, up to the policy's burst, and each call pays the policy's share
 * back. Beyond {@link #MOST_ROUTES} routes, the remaining routes share a budget. Any thread.
 */
public final class RetryBudgets {
  /** The most routes with a budget of their own. */
  static final int MOST_ROUTES = 1_024;

  /** A retry, in the hundredths that calls pay back. */
  private static final long RETRY = 100;

  private final ConcurrentHashMap<Long, AtomicLong> lent = new ConcurrentHashMap<>();
  private final AtomicLong lentToOthers = new AtomicLong();

  /** A call with this policy begins its first attempt. */
  public void onCall(long route, RetryPolicy policy) {
    AtomicLong own = of(route);
    long before = own.get();
    // A budget in full, the usual case, costs a call no write.
    while (before > 0 && !own.compareAndSet(before, Math.max(0, before - policy.budgetPercent()))) {
      before = own.get();
    }
  }

  /** Borrows a retry; false if too many retries are lent. */
  public boolean tryTake(long route, RetryPolicy policy) {
    AtomicLong own = of(route);
    long most = policy.budgetBurst() * RETRY;
    long before = own.get();
    while (before + RETRY <= most) {
      if (own.compareAndSet(before, before + RETRY)) {
        return true;
      }
      before = own.get();
    }
    return false;
  }

  /** Takes a borrowed retry back that no attempt used. */
  public void giveBack(long route) {
    of(route).updateAndGet(before -> Math.max(0, before - RETRY));
  }

  private AtomicLong of(long route) {
    AtomicLong own = lent.get(route);
    if (own != null) {
      return own;
    }
    return lent.size() < MOST_ROUTES
        ? lent.computeIfAbsent(route, _ -> new AtomicLong())
        : lentToOthers;
  }

  /**
   * Whether the attempt that ended with this outcome was load for the peer, so that the next
   * attempt needs a retry of the budget. A call refused at this node was no load.
   */
  public static boolean wasLoad(CallOutcome outcome) {
    return switch (outcome) {
      case PEER_UNREACHABLE, HANDSHAKE_FAILED, SUBMISSION_FULL -> false;
      default -> true;
    };
  }
}
