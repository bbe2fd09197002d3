package io.millrace.protocol.recovery;

import io.millrace.wire.codec.AckDecoder;
import org.jspecify.annotations.Nullable;

/** Walks the ranges of an Ack frame, newest first, as packet numbers. Reused for every frame. */
final class AckRangeCursor {
  private AckDecoder.@Nullable RangesDecoder older;
  private long low;
  private long high;

  /** Whether all ranges lie within the packets from 0 to {@code next - 1}. Leaves no position. */
  boolean isValid(AckDecoder ack, long next) {
    final long largest = ack.largest();
    if (largest < 0 || largest >= next) {
      return false;
    }
    start(ack);
    boolean isSane = low >= 0;
    while (isSane && moveToOlder()) {
      isSane = low >= 0;
    }
    return isSane;
  }

  /** Moves to the newest range. */
  void start(AckDecoder ack) {
    ack.sbeRewind();
    high = ack.largest();
    low = high - ack.firstRange();
    older = ack.ranges();
  }

  /** Moves to the next older range; false without an older range. */
  boolean moveToOlder() {
    final AckDecoder.RangesDecoder ranges = older;
    if (ranges == null || !ranges.hasNext()) {
      return false;
    }
    ranges.next();
    high = low - ranges.gap() - 2;
    low = high - ranges.length();
    return true;
  }

  /** The first packet of the range. */
  long low() {
    return low;
  }

  /** The last packet of the range. */
  long high() {
    return high;
  }
}
