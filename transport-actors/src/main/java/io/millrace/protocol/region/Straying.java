package io.millrace.protocol.region;

import io.millrace.protocol.schedule.Jitter;

/**
 * Lengthens waits by a part that differs each time and for each path, so that those who were told
 * the same do not come back at one moment.
 */
final class Straying {
  private static final int PART = 4;

  private final Jitter jitter;

  Straying(long seed) {
    jitter = new Jitter(seed);
  }

  /** So long, or up to a quarter longer; ns. */
  long stray(long waitNs) {
    return waitNs + jitter.upTo(waitNs / PART);
  }
}
