package io.millrace.path.stream;

import io.millrace.path.packet.PacketItems;
import io.millrace.protocol.transfer.FrameSender;
import io.millrace.protocol.transfer.OutboundFrame;
import org.jspecify.annotations.Nullable;

/** A frame of a stream, kept until arrival under a number of its own. Worker's thread only. */
abstract class StreamFrame extends OutboundFrame {
  /** Flag of frames about the response flow. */
  static final int RESPONSE = 1;

  /** Flag of a close from the flow's sender. */
  static final int FROM_SENDER = 2;

  /** The stream in the view of a frame. */
  interface Stream {
    /** The id of the stream. */
    long transferId();

    /** 0 to 7. */
    int priority();

    /** Whether this side opened the stream. */
    boolean isOpener();

    /** Whether no frame sent now goes ahead of the opening, which may have been lost. */
    boolean isOpeningSent();

    /** Whether the peer is known to have the opening, or the opening goes no more. */
    boolean hasOpeningArrived();

    /** Whether a frame received now would come ahead of the opening. */
    boolean isEarly();

    /** Queues a frame that must stay behind the opening. */
    void queueBehindOpening(StreamFrame frame);

    /** Whether segments are still wanted. */
    boolean isSendingWanted();

    /** Whether this credit is the newest. */
    boolean isCreditWanted(long elements, long bytes);

    /** Whether the end of the stream's own flow is still to be told. */
    boolean isCloseWanted();

    /** Whether the end of the other flow is still to be told. */
    boolean isCancelWanted();

    /** A segment goes for the first time: counts the cost. */
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

  /** Gives the frame its number before the queueing. */
  void name(long number, int priority) {
    this.number = number;
    this.priority = priority;
    delivered = false;
  }

  /** The stream of the frame, or null for an ended stream. */
  abstract @Nullable Stream streamOrNull();

  /** The frame goes at this level from now on; the frame must not be queued. */
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

  /** The frame stands behind the stream's opening, if the opening stands aside, too. */
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
   * Sends the frame in front of other frames, but not in front of the stream's opening, if the
   * opening is to be sent again. Otherwise frames counted as not received could keep the opening
   * from ever going.
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

  /** The frame has arrived during the wait for its retransmission. */
  void onDelivered() {
    delivered = true;
  }

  boolean isDelivered() {
    return delivered;
  }

  /** Keeps the frames of the path. */
  final StreamFrames owner() {
    return owner;
  }

  /** The frame has arrived, or nobody wants the frame any more, and no queue has the frame. */
  void onForgotten() {}
}
