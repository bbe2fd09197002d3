package io.millrace.samples.log.core;

/**
 * Sees each message of one replica at the moment of sending, and each entry that the replica takes
 * for chosen: for checks. Called in the replica's turns or by its disk's completions.
 */
public interface ReplicaWatch {
  /** A watch that checks nothing. */
  ReplicaWatch NONE = new ReplicaWatch() {};

  /** The replica asks the others to promise a ballot. */
  default void onPrepare(Ballot ballot) {}

  /** The replica answers the preparation of a ballot, by a promise or by a refusal. */
  default void onAnswer(Ballot asked, Promise answer) {}

  /** The replica proposes an entry. */
  default void onPropose(Entry entry) {}

  /** The replica says that it has accepted a proposal. */
  default void onAccepted(Entry entry) {}

  /** The replica refuses a proposal because of an earlier promise. */
  default void onRefused(Entry entry, Ballot promised) {}

  /**
   * The replica says, or hears, that a leader's slots up to {@code through} are chosen, and perhaps
   * {@code slot} too.
   */
  default void onChosen(Ballot ballot, long slot, long through) {}

  /** The replica takes the entry of a slot for chosen, and applies the entry. */
  default void onApply(Entry entry) {}
}
