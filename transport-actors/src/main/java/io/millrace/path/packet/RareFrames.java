package io.millrace.path.packet;

import io.millrace.protocol.transfer.FrameSender;
import io.millrace.protocol.transfer.OutboundFrame;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Rare frames, which must arrive: kept until their arrival. Worker's thread only; allocates with
 * each frame.
 */
final class RareFrames {
  /**
   * The most bytes of frames not yet arrived; many frames are kept if the peer acknowledges
   * nothing.
   */
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

  /** Whether so many frames have not arrived that the peer must be acknowledging nothing. */
  boolean areTooMany() {
    return keptBytes >= MOST_BYTES;
  }

  /** Returns the frame if its content is still wanted, else null: then the frame is forgotten. */
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

  /** The number of frames not arrived yet, as far as known. */
  int size() {
    return underWay.size();
  }

  /** The owner of the rare frames' items, which sends lost frames again by {@code sender}. */
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
