package io.millrace.protocol.recovery;

import io.millrace.memory.SegmentBuffer;
import io.millrace.wire.codec.AckDecoder;
import io.millrace.wire.codec.AckEncoder;
import java.util.ArrayList;
import java.util.List;

/** Ack frames for tests, in a buffer of their own. */
final class AckFrames {
  private final SegmentBuffer buffer = new SegmentBuffer(new byte[4096]);
  private final AckEncoder encoder = new AckEncoder();
  private final AckDecoder decoder = new AckDecoder();

  /** Ranges as [high, low, high, low, ...], newest first. */
  AckDecoder of(long delayNs, long cePackets, long... highsAndLows) {
    encoder.wrap(buffer, 0);
    encoder
        .largest(highsAndLows[0])
        .delayNs(delayNs)
        .ecnCePackets(cePackets)
        .inlineLimit(0)
        .firstRange(highsAndLows[0] - highsAndLows[1]);
    final AckEncoder.RangesEncoder ranges = encoder.rangesCount(highsAndLows.length / 2 - 1);
    for (int i = 2; i < highsAndLows.length; i += 2) {
      ranges
          .next()
          .gap(highsAndLows[i - 1] - highsAndLows[i] - 2)
          .length(highsAndLows[i] - highsAndLows[i + 1]);
    }
    return decode();
  }

  AckDecoder upTo(long largest) {
    return of(0, 0, largest, 0);
  }

  AckDecoder only(long packetNumber) {
    return of(0, 0, packetNumber, packetNumber);
  }

  /** The present acknowledgement of a receive side. */
  AckDecoder from(ReceivedPackets received, long nowNs, int maxRanges) {
    encoder.wrap(buffer, 0);
    received.encodeAck(encoder, nowNs, 0, maxRanges);
    return decode();
  }

  private AckDecoder decode() {
    return decoder.wrap(buffer, 0, AckEncoder.BLOCK_LENGTH, AckEncoder.SCHEMA_VERSION);
  }

  /** The ranges of a frame as [high, low, high, low, ...], decoded without the code under test. */
  static List<Long> ranges(AckDecoder ack) {
    ack.sbeRewind();
    final List<Long> ranges = new ArrayList<>();
    long high = ack.largest();
    long low = high - ack.firstRange();
    ranges.add(high);
    ranges.add(low);
    for (AckDecoder.RangesDecoder range : ack.ranges()) {
      high = low - range.gap() - 2;
      low = high - range.length();
      ranges.add(high);
      ranges.add(low);
    }
    return ranges;
  }
}
