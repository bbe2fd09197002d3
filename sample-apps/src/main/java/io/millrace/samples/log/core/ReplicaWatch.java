package io.millrace.samples.log.core;

/**
 * Sees what one replica tells the others, at the moment when it leaves, and what the replica takes
 * for chosen: for checks. Called in the replica's turns or by its disk's completions.
 */
public interface ReplicaWatch {
  /** Nobody looks. */
  ReplicaWatch NONE = new ReplicaWatch() {};

  /** It asks the others to promise a ballot. */
  default void onPrepare(Ballot ballot) {}

  /** It answers the preparation of a ballot, by a promise or by a refusal. */
  default void onAnswer(Ballot asked, Promise answer) {}

  /** It proposes. */
  default void onPropose(Entry entry) {}

  /** It says that it has accepted a proposal. */
  default void onAccepted(Entry entry) {}

  /** It refuses a proposal because of what it has promised. */
  default void onRefused(Entry entry, Ballot promised) {}

  /** It says, or hears, that a leader's slots up to one are chosen, and perhaps another one. */
  default void onChosen(Ballot ballot, long slot, long through) {}

  /** It takes the entry of a slot for chosen, and applies it. */
  default void onApply(Entry entry) {}
}
