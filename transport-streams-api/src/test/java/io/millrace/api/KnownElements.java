package io.millrace.api;

import java.util.Arrays;

/**
 * Compares the elements of one flow with the known elements: each element must arrive once, in
 * order, and no element may be missing at a successful end. One thread at a time.
 */
final class KnownElements {
  private final long id;
  private final TrafficLog log;
  private int taken;

  KnownElements(long id, TrafficLog log) {
    this.id = id;
    this.log = log;
  }

  byte[] take(byte[] element) {
    int number = taken++;
    if (number >= Traffic.ELEMENTS || !Arrays.equals(Traffic.element(id, number), element)) {
      log.violated("stream order", "stream " + id + ", element " + number + " is another");
    }
    return element;
  }

  /** Called when the flow has ended successfully: checks that all elements have arrived. */
  void onWhole() {
    if (taken != Traffic.ELEMENTS) {
      log.violated("stream truth", "stream " + id + " ended well after " + taken + " elements");
    }
  }
}
