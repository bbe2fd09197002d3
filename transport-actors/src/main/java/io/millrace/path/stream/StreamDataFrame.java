package io.millrace.path.stream;

import io.millrace.protocol.stream.StreamReceiver;
import io.millrace.protocol.stream.StreamSegment;
import io.millrace.protocol.transfer.InlineCost;
import io.millrace.wire.FrameStart;
import io.millrace.wire.codec.StreamDataEncoder;
import java.nio.ByteOrder;
import java.util.stream.Stream;
import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;

/** Elements of a flow. Pooled by {@link StreamFrames}. */
final class StreamDataFrame extends StreamFrame {
  /** The number of bytes of a frame without the elements and their lengths. */
  static final int FIXED_LENGTH =
      FrameStart.LENGTH
          + StreamDataEncoder.BLOCK_LENGTH
          + StreamDataEncoder.LengthsEncoder.sbeHeaderSize()
          + StreamDataEncoder.elementsHeaderLength();

  private static final int BODY = FrameStart.LENGTH;
  private static final int LENGTHS = BODY + StreamDataEncoder.BLOCK_LENGTH;

  private final StreamSegment segment = new StreamSegment();
  private @Nullable Stream stream;
  private boolean sent;

  StreamDataFrame(StreamFrames owner) {
    super(owner);
  }

  StreamSegment segment() {
    return segment;
  }

  void start(Stream stream, int frameBytes) {
    this.stream = stream;
    sent = false;
    setCharged(false);
    segment.start(frameBytes - FIXED_LENGTH);
  }

  /** The stream of the frame. */
  Stream stream() {
    Stream of = stream;
    if (of == null) {
      throw new IllegalStateException("the frame is free");
    }
    return of;
  }

  @Override
  public int costBytes() {
    return InlineCost.of(0, segment.contentLength());
  }

  @Override
  public boolean keepsForm() {
    return true;
  }

  /** The peer counts a segment as not received until the opening has come. */
  @Override
  public boolean mayGoInPieces() {
    return stream().hasOpeningArrived();
  }

  @Override
  public int contentLength() {
    return segment.contentLength();
  }

  @Override
  @Nullable Stream streamOrNull() {
    return stream;
  }

  @Override
  public int encodedLength() {
    return FIXED_LENGTH + segment.count() * StreamSegment.LENGTH_BYTES + segment.contentLength();
  }

  @Override
  public void encode(MutableDirectBuffer buffer, int offset) {
    FrameStart.encode(
        buffer,
        offset,
        encodedLength(),
        StreamDataEncoder.BLOCK_LENGTH,
        StreamDataEncoder.TEMPLATE_ID);
    int at = offset + BODY;
    putLong(buffer, at + StreamDataEncoder.transferIdEncodingOffset(), stream().transferId());
    putLong(buffer, at + StreamDataEncoder.segmentEncodingOffset(), segment.number());
    putLong(buffer, at + StreamDataEncoder.elementEncodingOffset(), segment.element());
    buffer.putByte(at + StreamDataEncoder.flagsEncodingOffset(), (byte) flags());
    at = offset + LENGTHS;
    buffer.putByte(at, (byte) StreamSegment.LENGTH_BYTES);
    buffer.putByte(at + 1, (byte) segment.count());
    segment.encodeLengths(buffer, at + 2);
    at += 2 + segment.count() * StreamSegment.LENGTH_BYTES;
    buffer.putShort(at, (short) segment.contentLength(), ByteOrder.LITTLE_ENDIAN);
    segment.encodeElements(buffer, at + 2);
    if (!sent) {
      sent = true;
      stream().onSegmentSent(costBytes());
    }
  }

  private int flags() {
    return (stream().isOpener() ? 0 : RESPONSE)
        | (segment.isContinued() ? StreamReceiver.CONTINUED : 0)
        | (segment.isUnfinished() ? StreamReceiver.UNFINISHED : 0);
  }

  private static void putLong(MutableDirectBuffer buffer, int at, long value) {
    buffer.putLong(at, value, ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public void onUnsendable() {
    stream().onUnsendable(this);
  }

  @Override
  public boolean isObsolete() {
    return isDelivered() || !stream().isSendingWanted();
  }

  /** Nobody holds the frame any more. */
  @Override
  void onForgotten() {
    if (stream == null) {
      throw new IllegalStateException("a frame was forgotten twice");
    }
    stream = null;
    owner().recycle(this);
  }
}
