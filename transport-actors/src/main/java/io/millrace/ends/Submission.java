package io.millrace.ends;

import io.millrace.transfer.CallOutcome;

/** Something that an application thread hands to a worker through a ring. */
public interface Submission {
  /** Which ring: 0 (first) to 7. */
  int priority();

  /** Bytes that are to be sent for it, as known now; the same until it is taken. */
  default long loadBytes() {
    return 0;
  }

  /**
   * Whether it waits in the node's {@link WaitingRoom} while there is no room; else it is refused.
   */
  default boolean waitsForRoom() {
    return true;
  }

  /**
   * It waits in the line of its worker, which knows it from now on: it can leave, and its time
   * runs. Before {@link #onTaken}, and only if it waits. On the worker's thread.
   */
  default void onAdmitted(WaitingPlace place, long nowNs) {}

  /** The worker took it from the ring. On the worker's thread. */
  void onTaken(long nowNs);

  /** It was not taken and never will be. On the submitting or the worker's thread. */
  void onRefused(CallOutcome outcome, String text);
}
