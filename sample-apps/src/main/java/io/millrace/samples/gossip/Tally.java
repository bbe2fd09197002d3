package io.millrace.samples.gossip;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts the votes for one height: each validator's once, with the time at which it came. Any
 * thread, without a lock: votes come on workers' threads.
 */
final class Tally {
  private static final long NONE = 0;
  private static final long FAILED = -1;

  private final Vote wanted;
  private final long beginNs;

  /** By validator: ns from the beginning, at least 1; or that there is none, or will be none. */
  private final AtomicLongArray votesNs;

  private final AtomicInteger left;
  private final CompletableFuture<Void> complete = new CompletableFuture<>();

  Tally(Vote wanted, int validators, long beginNs) {
    this.wanted = wanted;
    this.beginNs = beginNs;
    votesNs = new AtomicLongArray(validators);
    left = new AtomicInteger(validators);
  }

  Vote wanted() {
    return wanted;
  }

  void onVote(int validator, long nowNs) {
    decide(validator, Math.max(1, nowNs - beginNs));
  }

  /** There will be no vote of this one. */
  void onFailure(int validator) {
    decide(validator, FAILED);
  }

  private void decide(int validator, long what) {
    if (votesNs.compareAndSet(validator, NONE, what) && left.decrementAndGet() == 0) {
      complete.complete(null);
    }
  }

  /** Completes when each validator has voted, or will not. */
  CompletableFuture<Void> complete() {
    return complete;
  }

  /** When this one's vote came, ns from the beginning; not positive if it did not. */
  long voteNs(int validator) {
    return votesNs.get(validator);
  }

  /** The times of all votes that came, ns from the beginning, in their order. */
  long[] sortedNs() {
    long[] all = new long[votesNs.length()];
    for (int i = 0; i < all.length; i++) {
      all[i] = votesNs.get(i);
    }
    return Arrays.stream(all).filter(ns -> ns > 0).sorted().toArray();
  }
}
