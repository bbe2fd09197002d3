package io.millrace.samples.gossip;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts the votes for a height: each validator's once, with the time of its arrival. Any thread,
 * without a lock: votes come on workers' threads.
 */
final class Tally {
  private static final long NONE = 0;
  private static final long FAILED = -1;

  private final Vote wanted;
  private final long beginNs;

  /**
   * By validator: ns from the beginning, at least 1; or {@code NONE} before a vote, {@code FAILED}
   * without a vote to come.
   */
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

  /** This validator will not vote. */
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

  /**
   * Returns the time of this validator's vote, ns from the beginning; not positive without a vote.
   */
  long voteNs(int validator) {
    return votesNs.get(validator);
  }

  /** Returns the times of all votes so far, ns from the beginning, in their order. */
  long[] sortedNs() {
    long[] all = new long[votesNs.length()];
    for (int i = 0; i < all.length; i++) {
      all[i] = votesNs.get(i);
    }
    return Arrays.stream(all).filter(ns -> ns > 0).sorted().toArray();
  }
}
