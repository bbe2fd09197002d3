package io.millrace.samples.log.core;

/**
 * The number of replicas that must answer. Safe only if any {@code prepare} and any {@code accept}
 * replicas have a replica in common.
 *
 * @param prepare the number of promises that a leader needs
 * @param accept the number of acceptances that make a value chosen
 */
public record Quorum(int prepare, int accept) {
  /** Returns more than half of the replicas, for both. */
  public static Quorum majority(int replicas) {
    int most = replicas / 2 + 1;
    return new Quorum(most, most);
  }
}
