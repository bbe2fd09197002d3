package io.millrace.path.packet;

import io.millrace.protocol.transfer.FrameSender;
import io.millrace.protocol.transfer.OutboundFrame;
import org.jspecify.annotations.Nullable;

/**
 * Handles the items of one kind in acknowledged or lost packets; rules. On the worker's
 * thread; does not allocate.
 */
public interface ItemOwner {
  /** A packet with the item has arrived. Returns whether the arrival brought a transfer on. */
  default boolean onItemAcked(long item) {
    return false;
  }

  /** A packet with the item was lost. */
  default void onItemLost(long item) {}

  /**
   * The item goes again, to find out whether the peer is present.
   *
   * @return whether the item leaves this packet: another packet speaks for the item from now on
   */
  default boolean onItemRetransmit(long item) {
    return false;
  }

  /** Items standing for frames, which the path sends again while the frames are wanted. */
  abstract class OfFrames implements ItemOwner {
    private final FrameSender sender;

    /** Frames to retransmit by {@code sender}. */
    protected OfFrames(FrameSender sender) {
      this.sender = sender;
    }

    /** Returns the frame of this item if the frame may still be wanted, else null. */
    protected abstract @Nullable OutboundFrame find(long item);

    @Override
    public final void onItemLost(long item) {
      OutboundFrame frame = find(item);
      if (frame != null && !frame.isObsolete() && !frame.isQueued()) {
        frame.sendAgain(sender);
      }
    }

    @Override
    public final boolean onItemRetransmit(long item) {
      onItemLost(item);
      return false;
    }
  }
}
