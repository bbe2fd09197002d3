package io.millrace.protocol.schedule;

import org.jspecify.annotations.Nullable;

/**
 * Decides which entry's turn to send has come on a worker: eight levels, 0 first, FIFO within a
 * level.
 *
 * <p>Under {@link SchedulerPolicy#WEIGHTED} the levels share by deficit round robin in bytes. A
 * round gives each level {@code weight * quantumBytes}; within the round the first waiting level
 * with bytes left is served. Sent bytes are charged afterwards, so a level may overdraw by a train
 * and pays the debt back in later rounds. Unused bytes do not outlive their round, and all debts
 * end when nothing waits. Under {@link SchedulerPolicy#STRICT} the first level that waits is
 * served.
 *
 * <p>An entry with data to send and without permission from its peer or its window is
 * <em>held</em>: the scheduler passes over the entry, but the round goes on and debts stay. So the
 * weights hold also for data that a window releases bit by bit. Once released, the entry is ahead
 * of its level, unless the entry was served just before: then the entry has had its turn, and goes
 * behind the waiting entries.
 *
 * <p>A worker has a scheduler for each send rate, called on the worker's thread only. The scheduler
 * has no time; the shaper decides the rate of polls. Every operation is O(1) and allocates nothing.
 *
 * @param <P> the scheduled owner, such as a peer path
 */
public final class PriorityScheduler<P> {
  /** Number of levels; levels are numbered from 0, the most urgent, to 7. */
  public static final int LEVELS = 8;

  /** Bytes per unit of weight and round: level 0 gets one train of 64 KiB. */
  public static final int DEFAULT_QUANTUM_BYTES = 512;

  private static final int[] DEFAULT_WEIGHTS = {128, 64, 32, 16, 8, 4, 2, 1};
  private static final int MAX_WEIGHT = 1 << 16;
  private static final int MAX_QUANTUM_BYTES = 1 << 24;

  private final SchedulerPolicy policy;

  /** The bytes of each level per round. */
  private final long[] roundBytes = new long[LEVELS];

  /** The bytes that each level may still send in this round; negative values are debt. */
  private final long[] deficitBytes = new long[LEVELS];

  private final @Nullable Schedulable<P>[] heads = Schedulable.newLinks();
  private final @Nullable Schedulable<P>[] tails = Schedulable.newLinks();

  /** Bit {@code l} is set while level {@code l} has entries. */
  private int waitingLevels;

  /** Bit {@code l} is set while level {@code l} has a positive deficit. */
  private int fundedLevels;

  /** Levels at which entries are held, over all entries. */
  private int held;

  private int polledLevel = -1;

  /** Makes an empty scheduler with the default weights and quantum. */
  public PriorityScheduler(SchedulerPolicy policy) {
    this(policy, DEFAULT_WEIGHTS, DEFAULT_QUANTUM_BYTES);
  }

  /**
   * Makes an empty scheduler.
   *
   * @param weights eight weights from 1 to 65,536, level 0 first
   * @param quantumBytes bytes per unit of weight and round, 1 to 16 MiB
   * @throws IllegalArgumentException if a value is out of range; the message names the value
   */
  public PriorityScheduler(SchedulerPolicy policy, int[] weights, int quantumBytes) {
    this.policy = policy;
    if (weights.length != LEVELS) {
      throw new IllegalArgumentException("weights must be 8 numbers, not " + weights.length);
    }
    if (quantumBytes < 1 || quantumBytes > MAX_QUANTUM_BYTES) {
      throw new IllegalArgumentException("quantumBytes must be in 1..16777216: " + quantumBytes);
    }
    for (int level = 0; level < LEVELS; level++) {
      if (weights[level] < 1 || weights[level] > MAX_WEIGHT) {
        throw new IllegalArgumentException("weights must be in 1..65536: " + weights[level]);
      }
      roundBytes[level] = (long) weights[level] * quantumBytes;
    }
    restartRounds();
  }

  /**
   * Puts an entry at the tail of a level, or at the level's head if the entry was held there; does
   * nothing if the entry waits there already.
   *
   * @throws IllegalArgumentException if the level is not within 0 to 7
   */
  public void activate(Schedulable<P> entry, int level) {
    checkLevel(level);
    if (entry.isQueued(level)) {
      return;
    }
    if (letGo(entry, level)) {
      linkFirst(entry, level);
    } else {
      linkLast(entry, level);
    }
    assert invariantsHold();
  }

  private void linkLast(Schedulable<P> entry, int level) {
    final Schedulable<P> tail = tails[level];
    entry.previous[level] = tail;
    if (tail == null) {
      heads[level] = entry;
      waitingLevels |= 1 << level;
    } else {
      tail.next[level] = entry;
    }
    tails[level] = entry;
    entry.queuedLevels |= 1 << level;
  }

  private void linkFirst(Schedulable<P> entry, int level) {
    final Schedulable<P> head = heads[level];
    entry.next[level] = head;
    if (head == null) {
      tails[level] = entry;
      waitingLevels |= 1 << level;
    } else {
      head.previous[level] = entry;
    }
    heads[level] = entry;
    entry.queuedLevels |= 1 << level;
  }

  /**
   * Holds an entry at a level until its permission to send: the entry keeps its turn and is not
   * polled until it is {@linkplain #activate activated}. Does nothing if the entry is held there
   * already.
   *
   * @throws IllegalArgumentException if the level is not within 0 to 7
   */
  public void hold(Schedulable<P> entry, int level) {
    checkLevel(level);
    if (entry.isQueued(level)) {
      unlink(entry, level);
    }
    if ((entry.heldLevels & 1 << level) == 0) {
      entry.heldLevels |= 1 << level;
      held++;
    }
    assert invariantsHold();
  }

  /**
   * As {@link #hold}, for an entry that was just served at this level: after its release the entry
   * is the last of its level.
   *
   * @throws IllegalArgumentException if the level is not within 0 to 7
   */
  public void holdServed(Schedulable<P> entry, int level) {
    hold(entry, level);
    entry.servedLevels |= 1 << level;
  }

  /** Whether the entry was held, and still has its turn. */
  private boolean letGo(Schedulable<P> entry, int level) {
    if ((entry.heldLevels & 1 << level) == 0) {
      return false;
    }
    final boolean hasTurn = (entry.servedLevels & 1 << level) == 0;
    entry.heldLevels &= ~(1 << level);
    entry.servedLevels &= ~(1 << level);
    held--;
    return hasTurn;
  }

  /**
   * Takes an entry out of a level; does nothing if the entry does not wait there.
   *
   * @throws IllegalArgumentException if the level is not within 0 to 7
   */
  public void deactivate(Schedulable<P> entry, int level) {
    checkLevel(level);
    letGo(entry, level);
    if (entry.isQueued(level)) {
      unlink(entry, level);
    }
    assert invariantsHold();
  }

  /** Takes an entry out of all levels, as when its peer is gone. */
  public void remove(Schedulable<P> entry) {
    held -= Integer.bitCount(entry.heldLevels);
    entry.heldLevels = 0;
    entry.servedLevels = 0;
    while (entry.queuedLevels != 0) {
      unlink(entry, Integer.numberOfTrailingZeros(entry.queuedLevels));
    }
    assert invariantsHold();
  }

  /**
   * Takes out the entry whose turn has come; {@link #polledLevel()} tells the entry's level. The
   * caller serves the entry, then calls {@link #charge} with the sent bytes and {@link #activate}
   * if more data waits.
   *
   * @return the entry, or null if no entry waits except held entries
   */
  public @Nullable Schedulable<P> poll() {
    if (waitingLevels == 0) {
      if (held == 0) {
        restartRounds();
      }
      return null;
    }
    final int level = selectLevel();
    final Schedulable<P> entry = heads[level];
    if (entry != null) {
      unlink(entry, level);
      polledLevel = level;
    }
    assert invariantsHold();
    return entry;
  }

  /** The level of the entry that {@link #poll} returned last; -1 before the first. */
  public int polledLevel() {
    return polledLevel;
  }

  /**
   * Accounts for bytes that were sent at a level.
   *
   * @throws IllegalArgumentException if the level is not within 0 to 7
   */
  public void charge(int level, int bytes) {
    checkLevel(level);
    assert bytes >= 0;
    deficitBytes[level] -= bytes;
    if (deficitBytes[level] <= 0) {
      fundedLevels &= ~(1 << level);
    }
    assert invariantsHold();
  }

  /** The levels with a waiting entry that is not held: bit {@code l} for level {@code l}. */
  public int waitingLevels() {
    return waitingLevels;
  }

  private static void checkLevel(int level) {
    if (level < 0 || level >= LEVELS) {
      throw new IllegalArgumentException("priority must be in 0..7: " + level);
    }
  }

  private int selectLevel() {
    if (policy == SchedulerPolicy.STRICT) {
      return Integer.numberOfTrailingZeros(waitingLevels);
    }
    if ((waitingLevels & fundedLevels) == 0) {
      startRounds(roundsUntilFunded());
    }
    return Integer.numberOfTrailingZeros(waitingLevels & fundedLevels);
  }

  /** How many rounds pass before a level that waits is out of debt. */
  private long roundsUntilFunded() {
    long rounds = Long.MAX_VALUE;
    for (int bits = waitingLevels; bits != 0; bits &= bits - 1) {
      final int level = Integer.numberOfTrailingZeros(bits);
      rounds = Math.min(rounds, 1 - deficitBytes[level] / roundBytes[level]);
    }
    return rounds;
  }

  private void startRounds(long rounds) {
    fundedLevels = 0;
    for (int level = 0; level < LEVELS; level++) {
      final long paidBack = deficitBytes[level] + (rounds - 1) * roundBytes[level];
      deficitBytes[level] = Math.min(paidBack, 0) + roundBytes[level];
      if (deficitBytes[level] > 0) {
        fundedLevels |= 1 << level;
      }
    }
  }

  private void restartRounds() {
    System.arraycopy(roundBytes, 0, deficitBytes, 0, LEVELS);
    fundedLevels = (1 << LEVELS) - 1;
  }

  private void unlink(Schedulable<P> entry, int level) {
    final Schedulable<P> before = entry.previous[level];
    final Schedulable<P> after = entry.next[level];
    if (before == null) {
      heads[level] = after;
    } else {
      before.next[level] = after;
    }
    if (after == null) {
      tails[level] = before;
    } else {
      after.previous[level] = before;
    }
    entry.previous[level] = null;
    entry.next[level] = null;
    entry.queuedLevels &= ~(1 << level);
    if (heads[level] == null) {
      waitingLevels &= ~(1 << level);
    }
  }

  private boolean invariantsHold() {
    if (held < 0) {
      return false;
    }
    for (int level = 0; level < LEVELS; level++) {
      final boolean isWaiting = (waitingLevels & 1 << level) != 0;
      final boolean isFunded = (fundedLevels & 1 << level) != 0;
      if (isWaiting != (heads[level] != null)
          || isWaiting != (tails[level] != null)
          || isFunded != (deficitBytes[level] > 0)
          || deficitBytes[level] > roundBytes[level]) {
        return false;
      }
    }
    return true;
  }
}
