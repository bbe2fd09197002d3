package io.millrace.samples.log.core;

/**
 * Names an attempt to lead; the higher ballot wins. Ballots have a total order; no two replicas
 * share a ballot.
 *
 * @param round the number of the attempt; 0 before any attempt
 * @param replica the replica that attempts to lead
 */
public record Ballot(long round, int replica) implements Comparable<Ballot> {
  /** Lower than the ballot of any attempt. */
  public static final Ballot NONE = new Ballot(0, -1);

  /** The ballot of a value known to be chosen, from any proposer. */
  public static final Ballot CHOSEN = new Ballot(Long.MAX_VALUE, Integer.MAX_VALUE);

  /**
   * The number of rounds that a ballot may be ahead of the highest ballot known to a replica. An
   * attempt to lead takes one round, so a replica that was away for months is within reach. A
   * ballot further ahead is refused and forgotten: a faulty member would need 2^39 messages to use
   * up the rounds.
   */
  public static final long MOST_AHEAD = 1L << 24;

  /** Returns the lowest ballot of a replica above this ballot. */
  public Ballot next(int replica) {
    return new Ballot(round + 1, replica);
  }

  /**
   * Returns whether an honest replica may have come to this ballot, from the view of a replica that
   * knows {@code highest}.
   */
  public boolean isWithinReachOf(Ballot highest) {
    return round >= 0 && round - highest.round <= MOST_AHEAD;
  }

  /** Returns whether this ballot is above another ballot. */
  public boolean isAbove(Ballot other) {
    return compareTo(other) > 0;
  }

  @Override
  public int compareTo(Ballot other) {
    int byRound = Long.compare(round, other.round);
    return byRound != 0 ? byRound : Integer.compare(replica, other.replica);
  }

  /** Writes the fields. */
  public void write(FieldWriter out) {
    out.number(round).small(replica);
  }

  /** Reads the fields. */
  public static Ballot read(FieldReader in) {
    return new Ballot(in.number(), in.small());
  }
}
