package io.millrace.ends;

import io.millrace.transfer.CallOutcome;

/** Something that an application thread hands to a worker through a ring. */
public interface Submission {
  /** The priority of the ring: 0 (first) to 7. */
  int priority();

  /**
   * Bytes to be sent for the submission, as known now; unchanged until the worker takes the
   * submission.
   */
  default long loadBytes() {
    return 0;
  }

  /**
   * Whether the submission waits in the node's {@link WaitingRoom} without room in its ring; else
   * the submission is refused.
   */
  default boolean waitsForRoom() {
    return true;
  }

  /**
   * The submission waits in the line of its worker, which knows the submission from now on: the
   * submission can leave, and its time runs. Before {@link #onTaken}, and only for a submission
   * that waits. On the worker's thread.
   */
  default void onAdmitted(WaitingPlace place, long nowNs) {}

  /** The worker took the submission from the ring. On the worker's thread. */
  void onTaken(long nowNs);

  /** The submission was not taken and never will be. On the submitting or the worker's thread. */
  void onRefused(CallOutcome outcome, String text);
}
