package io.millrace.samples.log.core;

/**
 * Names one attempt to lead; the higher wins. Total order, no two replicas share one.
 *
 * @param round 0 before anybody led
 * @param replica who attempts
 */
public record Ballot(long round, int replica) implements Comparable<Ballot> {
  /** Lower than that of any attempt. */
  public static final Ballot NONE = new Ballot(0, -1);

  /** Of a value that is known to be chosen, whoever proposed it. */
  public static final Ballot CHOSEN = new Ballot(Long.MAX_VALUE, Integer.MAX_VALUE);

  /**
   * Rounds that a ballot may be ahead of the highest one that a replica knows. An attempt to lead
   * takes one round, so a replica that was away for months is within reach. A ballot further ahead
   * is refused and forgotten: a faulty member would need 2^39 messages to use up the rounds.
   */
  public static final long MOST_AHEAD = 1L << 24;

  /** The lowest one of a replica above this. */
  public Ballot next(int replica) {
    return new Ballot(round + 1, replica);
  }

  /** Whether an honest replica may have come to this ballot, as one sees it that knows this one. */
  public boolean isWithinReachOf(Ballot highest) {
    return round >= 0 && round - highest.round <= MOST_AHEAD;
  }

  /** Whether this is above another. */
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
