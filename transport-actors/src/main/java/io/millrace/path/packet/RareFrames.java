package io.millrace.path.packet;

import io.millrace.protocol.transfer.FrameSender;
import io.millrace.protocol.transfer.OutboundFrame;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Frames that are seldom sent and must arrive: kept until they do. Worker's thread only; allocates
 * with each.
 */
final class RareFrames {
  /** What those take that have not arrived; a peer that never acknowledges makes them many. */
  static final long MOST_BYTES = 64L << 20;

  private static final int PER_FRAME_BYTES = 128;

  private final Long2ObjectHashMap<RareFrame> underWay = new Long2ObjectHashMap<>();
  private long keptBytes;
  private long added;

  void add(RareFrame frame) {
    frame.number(added++);
    underWay.put(frame.item(), frame);
    keptBytes += costOf(frame);
  }

  private static long costOf(RareFrame frame) {
    return (long) PER_FRAME_BYTES + frame.encodedLength();
  }

  /** Whether so many have not arrived that the peer must be one that acknowledges nothing. */
  boolean areTooMany() {
    return keptBytes >= MOST_BYTES;
  }

  /** The frame if what it says is still wanted, else null: then it is forgotten. */
  @Nullable RareFrame find(long item) {
    RareFrame frame = underWay.get(item);
    if (frame != null && frame.isObsolete()) {
      onDelivered(item);
      return null;
    }
    return frame;
  }

  void onDelivered(long item) {
    RareFrame frame = underWay.remove(item);
    if (frame != null) {
      keptBytes -= costOf(frame);
    }
  }

  /** How many have not arrived yet, as far as is known. */
  int size() {
    return underWay.size();
  }

  /** What becomes of them, sent again by {@code sender}. */
  ItemOwner items(FrameSender sender) {
    return new ItemOwner.OfFrames(sender) {
      @Override
      protected @Nullable OutboundFrame find(long item) {
        return RareFrames.this.find(item);
      }

      @Override
      public boolean onItemAcked(long item) {
        onDelivered(item);
        return false;
      }
    };
  }
}
