package io.millrace.samples.sim;

import io.millrace.config.TransportSettings;

/** How long things may take in a run, from the settings that it drew; virtual ns. Immutable. */
final class Bounds {
  private static final long SECOND_NS = 1_000_000_000;

  /** Longer than any handler, source or target of the workload waits. */
  private static final long APPLICATION_NS = 2 * SECOND_NS;

  private final long aftermathNs;

  Bounds(TransportSettings settings) {
    aftermathNs =
        2 * settings.recovery().failAfterNs() + 2 * settings.handshake().timeoutNs() + SECOND_NS;
  }

  /**
   * For so long after a fault calls may end for it: until a peer is given up, and found again, once
   * by each side.
   */
  long aftermathNs() {
    return aftermathNs;
  }

  /** Without any progress for so long, with no fault any more, nothing will come. */
  long settlesNs() {
    return aftermathNs + APPLICATION_NS;
  }

  /** Within this time every node has reached every other one, once all faults have ended. */
  long reunionNs() {
    return 2 * settlesNs();
  }
}
