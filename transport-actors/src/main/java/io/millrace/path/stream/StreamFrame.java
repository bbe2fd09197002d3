package io.millrace.path.stream;

import io.millrace.path.packet.PacketItems;
import io.millrace.protocol.transfer.FrameSender;
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

  /** What a frame knows of its stream. */
  interface Stream {
    /** The id of the stream. */
    long transferId();

    /** 0 to 7. */
    int priority();

    /** Whether this side opened it. */
    boolean isOpener();

    /** Whether nothing that is sent now goes ahead of the opening, which may have been lost. */
    boolean isOpeningSent();

    /** Whether a frame that came now would come ahead of the opening. */
    boolean isEarly();

    /** Queues a frame that must not pass the opening. */
    void queueBehindOpening(StreamFrame frame);

    /** Whether segments are wanted still. */
    boolean isSendingWanted();

    /** Whether this credit is the newest. */
    boolean isCreditWanted(long elements, long bytes);

    /** Whether the end of its own flow is to be told still. */
    boolean isCloseWanted();

    /** Whether the end of the other flow is to be told still. */
    boolean isCancelWanted();

    /** A segment goes for the first time. */
    void onSegmentSent(int costBytes);

    /** A segment does not fit the path's datagrams any more. */
    void onUnsendable(StreamDataFrame segment);
  }

  private final StreamFrames owner;
  private long number;
  private int priority;
  private boolean delivered;

  StreamFrame(StreamFrames owner) {
    this.owner = owner;
  }

  /** Names it before it is queued. */
  void name(long number, int priority) {
    this.number = number;
    this.priority = priority;
    delivered = false;
  }

  /** The stream that it is of, or null if that is over. */
  abstract @Nullable Stream streamOrNull();

  /** It goes at this level from now on; it must not be queued. */
  private void moveTo(int level) {
    priority = level;
  }

  @Override
  public final boolean staysInOrder() {
    Stream stream = streamOrNull();
    return stream != null && !stream.isOpeningSent();
  }

  @Override
  public final boolean isEarly() {
    Stream stream = streamOrNull();
    return stream != null && stream.isEarly();
  }

  /** It stands behind its stream's opening, if that stands aside, too. */
  @Override
  public final void onAside() {
    Stream stream = streamOrNull();
    if (stream != null) {
      moveTo(stream.priority());
    }
  }

  @Override
  public final void onObsolete() {
    owner.onUnqueued(this);
  }

  /**
   * In front of others, but not of the stream's opening, if that is to be sent again. Else frames
   * that count as not received could keep the opening from ever going.
   */
  @Override
  public final void sendAgain(FrameSender sender) {
    Stream stream = streamOrNull();
    if (stream == null || stream.isOpeningSent()) {
      sender.queueFirst(this);
    } else {
      moveTo(stream.priority());
      stream.queueBehindOpening(this);
    }
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
    return PacketItems.of(PacketItems.STREAM, number);
  }

  /** It has arrived while it waits to be sent again. */
  void onDelivered() {
    delivered = true;
  }

  boolean isDelivered() {
    return delivered;
  }

  /** Keeps the frames of its path. */
  final StreamFrames owner() {
    return owner;
  }

  /** It has arrived, or nobody wants it any more, and it is not queued. */
  void onForgotten() {}
}
