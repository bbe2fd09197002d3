package io.millrace.path.stream;

import io.millrace.path.packet.ItemOwner;
import io.millrace.protocol.transfer.FrameSender;
import io.millrace.protocol.transfer.OutboundFrame;
import java.util.ArrayDeque;
import java.util.function.IntConsumer;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The frames of a path's streams that have not arrived yet, as far as is known, and those for use
 * by others. Worker's thread only; does not allocate in the steady state.
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

  /** A frame that waits says something else from now on: that an older one arrived says nothing. */
  void rename(StreamFrame frame) {
    underWay.remove(frame.item());
    add(frame, frame.priority());
  }

  /** The frame if what it says is still wanted, else null. */
  @Nullable StreamFrame find(long item) {
    StreamFrame frame = underWay.get(item);
    if (frame == null || frame.isQueued() || !frame.isObsolete()) {
      return frame;
    }
    forget(frame);
    return null;
  }

  /** The frame arrived; returns the bytes of elements in it, or -1 if that was no news. */
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

  /** It left its queue because nobody wants it any more. */
  void onUnqueued(StreamFrame frame) {
    forget(frame);
  }

  int size() {
    return underWay.size();
  }

  /** Nobody wants a frame any more that is not queued. */
  void forget(StreamFrame frame) {
    underWay.remove(frame.item());
    frame.onForgotten();
  }

  /** What becomes of them: {@code delivered} is told the bytes of elements that arrived. */
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
