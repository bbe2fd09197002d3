package io.millrace.protocol.stream;

import io.millrace.memory.SegmentBuffer;
import org.agrona.DirectBuffer;

/** A copy of a segment that came before its predecessors. */
final class EarlySegment {
  private static final int OVERHEAD_BYTES = 192;

  private final long element;
  private final int flags;
  private final DirectBuffer buffer;
  private final SegmentPlace place = new SegmentPlace();

  EarlySegment(long element, int flags, DirectBuffer from, SegmentPlace original) {
    this.element = element;
    this.flags = flags;
    int lengths = original.count() * original.stride();
    byte[] bytes = new byte[lengths + original.length()];
    from.getBytes(original.lengthsAt(), bytes, 0, lengths);
    from.getBytes(original.elementsAt(), bytes, lengths, original.length());
    buffer = new SegmentBuffer(bytes);
    place.set(buffer, 0, original.stride(), original.count());
    place.elements(lengths, original.length());
  }

  /** The memory of a copy. */
  static long heldBytes(SegmentPlace place) {
    return OVERHEAD_BYTES + (long) place.count() * place.stride() + place.length();
  }

  long element() {
    return element;
  }

  int flags() {
    return flags;
  }

  DirectBuffer buffer() {
    return buffer;
  }

  SegmentPlace place() {
    return place;
  }
}
