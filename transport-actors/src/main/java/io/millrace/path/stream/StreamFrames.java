package io.millrace.path.stream;

import io.millrace.path.packet.ItemOwner;
import io.millrace.protocol.transfer.FrameSender;
import io.millrace.protocol.transfer.OutboundFrame;
import java.util.ArrayDeque;
import java.util.function.IntConsumer;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The frames of a path's streams not yet arrived, as far as known, and the frames for reuse.
 * Worker's thread only; does not allocate in the steady state.
 */
final class StreamFrames {
  private static final int POOLED_FRAMES = 64;

  private final Long2ObjectHashMap<StreamFrame> underWay = new Long2ObjectHashMap<>();
  private final ArrayDeque<StreamDataFrame> pool = new ArrayDeque<>();
  private long added;

  StreamDataFrame takeData() {
    StreamDataFrame frame = pool.pollLast();
    return frame == null ? new StreamDataFrame(this) : frame;
  }

  void recycle(StreamDataFrame frame) {
    if (pool.size() < POOLED_FRAMES) {
      pool.addLast(frame);
    }
  }

  /** Keeps a frame that is about to be queued at this level. */
  void add(StreamFrame frame, int priority) {
    frame.name(added++, priority);
    underWay.put(frame.item(), frame);
  }

  /**
   * A waiting frame says something else from now on: the arrival of the older content says nothing.
   */
  void rename(StreamFrame frame) {
    underWay.remove(frame.item());
    add(frame, frame.priority());
  }

  /** The frame if its content is still wanted, else null. */
  @Nullable StreamFrame find(long item) {
    StreamFrame frame = underWay.get(item);
    if (frame == null || frame.isQueued() || !frame.isObsolete()) {
      return frame;
    }
    forget(frame);
    return null;
  }

  /** The frame arrived; returns the bytes of elements in the frame, or -1 for a known arrival. */
  int onDelivered(long item) {
    StreamFrame frame = underWay.get(item);
    if (frame == null) {
      return -1;
    }
    int contentLength = frame.contentLength();
    if (frame.isQueued()) {
      underWay.remove(item);
      frame.onDelivered();
    } else {
      forget(frame);
    }
    return contentLength;
  }

  /** The frame left the queue because nobody wants the frame any more. */
  void onUnqueued(StreamFrame frame) {
    forget(frame);
  }

  int size() {
    return underWay.size();
  }

  /** Nobody wants an unqueued frame any more. */
  void forget(StreamFrame frame) {
    underWay.remove(frame.item());
    frame.onForgotten();
  }

  /** The owner of the frames' items: {@code delivered} is told the bytes of arrived elements. */
  ItemOwner items(FrameSender sender, IntConsumer delivered) {
    return new ItemOwner.OfFrames(sender) {
      @Override
      protected @Nullable OutboundFrame find(long item) {
        return StreamFrames.this.find(item);
      }

      @Override
      public boolean onItemAcked(long item) {
        int contentLength = onDelivered(item);
        if (contentLength >= 0) {
          delivered.accept(contentLength);
        }
        return contentLength >= 0;
      }
    };
  }
}
