package io.millrace.protocol.region;

import io.millrace.protocol.schedule.Jitter;

/**
 * Lengthens waits by a part that differs each time and for each path, so that senders with equal
 * waits do not come back at the same moment.
 */
final class JitteredWait {
  private static final int PART = 4;

  private final Jitter jitter;

  JitteredWait(long seed) {
    jitter = new Jitter(seed);
  }

  /** Returns this wait, or a wait up to a quarter longer; ns. */
  long stray(long waitNs) {
    return waitNs + jitter.upTo(waitNs / PART);
  }
}
