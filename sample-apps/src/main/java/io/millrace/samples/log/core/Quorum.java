package io.millrace.samples.log.core;

/**
 * How many replicas must answer. Safe only if any {@code prepare} and any {@code accept} of all
 * replicas have one in common.
 *
 * @param prepare promises that a leader needs
 * @param accept acceptances that make a value chosen
 */
public record Quorum(int prepare, int accept) {
  /** More than half, for both. */
  public static Quorum majority(int replicas) {
    int most = replicas / 2 + 1;
    return new Quorum(most, most);
  }
}
