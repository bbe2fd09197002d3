package io.millrace.samples.bench.burst;

import java.util.Locale;

/**
 * The direction of the payload; in both shapes the payload passes the bottleneck towards the
 * receiver.
 */
enum BurstShape {
  /** The peers call the receiver, with the payload in their requests. */
  INCAST,
  /** The receiver calls the peers, and the payload is in their answers. */
  FANOUT;

  /** The name of the shape in reports. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
