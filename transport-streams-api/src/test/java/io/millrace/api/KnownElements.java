package io.millrace.api;

import java.util.Arrays;

/**
 * Compares the elements of one flow with those that it knows: each must come once, in order, and
 * none may be missing when the flow ends well. One thread at a time.
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

  /** The receiver was told that these are all. */
  void onWhole() {
    if (taken != Traffic.ELEMENTS) {
      log.violated("stream truth", "stream " + id + " ended well after " + taken + " elements");
    }
  }
}
