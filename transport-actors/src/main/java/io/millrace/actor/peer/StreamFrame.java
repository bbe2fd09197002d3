package io.millrace.actor.peer;

import io.millrace.protocol.transfer.OutboundFrame;
import org.jspecify.annotations.Nullable;

/**
 * A frame of a stream that is kept until it has arrived, under a number of its own. Worker's thread
 * only.
 */
abstract class StreamFrame extends OutboundFrame {
  /** Flag of frames about the response flow. */
  static final int RESPONSE = 1;

  /** Flag of a close from the flow's sender. */
  static final int FROM_SENDER = 2;

  private long number;
  private int priority;
  private boolean delivered;

  /** Names it before it is queued. */
  void name(long number, int priority) {
    this.number = number;
    this.priority = priority;
    delivered = false;
  }

  /** The stream that it is of, or null if that is over. */
  abstract @Nullable PathStream streamOrNull();

  /** It goes at this level from now on; it must not be queued. */
  void moveTo(int level) {
    priority = level;
  }

  @Override
  public final int priority() {
    return priority;
  }

  @Override
  public int costBytes() {
    return 0;
  }

  @Override
  public int contentLength() {
    return 0;
  }

  @Override
  public final long item() {
    return WriteItems.ofStream(number);
  }

  /** It has arrived while it waits to be sent again. */
  void onDelivered() {
    delivered = true;
  }

  boolean isDelivered() {
    return delivered;
  }

  /** It has arrived, or nobody wants it any more, and it is not queued. */
  void onForgotten(StreamFrames frames) {}
}
