package io.millrace.samples.bench.burst;

import java.util.Locale;

/** Which way the payload goes; it is through the bottleneck, to the receiver, in both. */
enum BurstShape {
  /** The peers call the receiver, with the payload in their requests. */
  INCAST,
  /** The receiver calls the peers, and the payload is in their answers. */
  FANOUT;

  /** What it is called in reports. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
