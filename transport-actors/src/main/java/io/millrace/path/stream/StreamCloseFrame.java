package io.millrace.path.stream;

import io.millrace.wire.FrameStart;
import io.millrace.wire.codec.CallStatus;
import io.millrace.wire.codec.StreamCloseEncoder;
import java.util.stream.Stream;
import org.agrona.MutableDirectBuffer;

/** A flow of a stream ends. Each end of a flow sends a single close. */
final class StreamCloseFrame extends StreamFrame {
  private static final int DATA_HEADER = 2;

  private final Stream stream;
  private final boolean fromSender;
  private final CallStatus status;
  private final long segments;
  private final long costBytes;
  private final byte[] text;

  /** The close of the sender of a flow. */
  StreamCloseFrame(
      StreamFrames owner,
      Stream stream,
      CallStatus status,
      long segments,
      long costBytes,
      byte[] text) {
    this(owner, stream, true, status, segments, costBytes, text);
  }

  /** The cancel of the receiver of a flow, which wants no more elements. */
  StreamCloseFrame(StreamFrames owner, Stream stream, CallStatus status, byte[] text) {
    this(owner, stream, false, status, 0, 0, text);
  }

  private StreamCloseFrame(
      StreamFrames owner,
      Stream stream,
      boolean fromSender,
      CallStatus status,
      long segments,
      long costBytes,
      byte[] text) {
    super(owner);
    this.stream = stream;
    this.fromSender = fromSender;
    this.status = status;
    this.segments = segments;
    this.costBytes = costBytes;
    this.text = text;
  }

  @Override
  Stream streamOrNull() {
    return stream;
  }

  @Override
  public int encodedLength() {
    return FrameStart.LENGTH + StreamCloseEncoder.BLOCK_LENGTH + DATA_HEADER + text.length;
  }

  @Override
  public void encode(MutableDirectBuffer buffer, int offset) {
    FrameStart.encode(
        buffer,
        offset,
        encodedLength(),
        StreamCloseEncoder.BLOCK_LENGTH,
        StreamCloseEncoder.TEMPLATE_ID);
    boolean isResponse = stream.isOpener() != fromSender;
    new StreamCloseEncoder()
        .wrap(buffer, offset + FrameStart.LENGTH)
        .transferId(stream.transferId())
        .segments(segments)
        .costBytes(costBytes)
        .flags((short) ((isResponse ? RESPONSE : 0) | (fromSender ? FROM_SENDER : 0)))
        .status(status)
        .putText(text, 0, text.length);
  }

  @Override
  public boolean isObsolete() {
    return isDelivered() || (fromSender ? !stream.isCloseWanted() : !stream.isCancelWanted());
  }
}
