package io.millrace.actor.submission;

import io.millrace.protocol.transfer.CallOutcome;

/** Something that an application thread hands to a worker through a ring. */
public interface Submission {
  /** Which ring: 0 (first) to 7. */
  int priority();

  /** The worker took it from the ring. On the worker's thread. */
  void onTaken(long nowNs);

  /** It was not taken and never will be. On the submitting or the worker's thread. */
  void onRefused(CallOutcome outcome, String text);
}
