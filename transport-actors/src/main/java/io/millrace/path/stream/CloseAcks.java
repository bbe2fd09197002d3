package io.millrace.path.stream;

import io.millrace.protocol.transfer.TransferId;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Acknowledgements of closes not yet arrived, at most one for each slot and direction. At the close
 * of the slot's next stream, a waiting acknowledgement speaks of the new stream instead. A peer
 * that uses the slot again knows that the former stream is over (S-9). The number of
 * acknowledgements is thereby at most the number of slots, or {@value #MOST_REPEATED} with closes
 * of ended streams added. Worker's thread only.
 */
final class CloseAcks {
  static final int MOST_REPEATED = 1_024;

  private final StreamFrames frames;
  private final Long2ObjectHashMap<StreamCloseAckFrame> pending = new Long2ObjectHashMap<>();

  CloseAcks(StreamFrames frames) {
    this.frames = frames;
  }

  int size() {
    return pending.size();
  }

  /** A flow is over; returns the frame to queue, or null if a waiting frame says so now. */
  @Nullable StreamCloseAckFrame add(long transferId, boolean isResponse) {
    long key = key(transferId, isResponse);
    StreamCloseAckFrame before = pending.get(key);
    if (before != null && before.transferId() == transferId) {
      return null;
    }
    if (before != null && before.isQueued() && !before.isDelivered()) {
      before.say(transferId);
      frames.rename(before);
      return null;
    }
    if (before != null && !before.isQueued()) {
      frames.forget(before);
    }
    StreamCloseAckFrame frame = new StreamCloseAckFrame(frames, this, transferId, isResponse);
    pending.put(key, frame);
    frames.add(frame, 0);
    return frame;
  }

  /** Whether a close can be acknowledged although this side knows nothing of the flow any more. */
  boolean canRepeat(long transferId, boolean isResponse) {
    return pending.size() < MOST_REPEATED || isPending(transferId, isResponse);
  }

  /** Whether the slot's last flow of this direction has an acknowledgement on its way. */
  boolean isPending(long transferId, boolean isResponse) {
    return pending.containsKey(key(transferId, isResponse));
  }

  void onForgotten(StreamCloseAckFrame frame) {
    pending.remove(key(frame.transferId(), frame.isResponse()), frame);
  }

  private static long key(long transferId, boolean isResponse) {
    return (long) TransferId.slot(transferId) << 1 | (isResponse ? 1 : 0);
  }
}
