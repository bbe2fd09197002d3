package io.millrace.path.stream;

import io.millrace.memory.SegmentBuffer;
import io.millrace.path.peer.FarSide;
import io.millrace.wire.FrameStart;
import io.millrace.wire.codec.InlineRequestEncoder;
import io.millrace.wire.codec.StreamCloseAckEncoder;
import io.millrace.wire.codec.StreamCloseEncoder;
import io.millrace.wire.codec.StreamDataEncoder;

/** Frames of streams made by hand, with any contents. */
public final class FlowFrames {
  private static final int SPACE_BYTES = 256;

  private FlowFrames() {}

  /** Opens a stream of this pattern. */
  public static byte[] opening(long transferId, long route, int pattern) {
    SegmentBuffer frame = new SegmentBuffer(new byte[SPACE_BYTES]);
    InlineRequestEncoder encoder = new InlineRequestEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.transferId(transferId).route(route).priority((short) 3).pattern((short) pattern);
    encoder.putHeaders(new byte[0], 0, 0).putPayload(new byte[0], 0, 0);
    return FarSide.framed(
        frame,
        encoder.limit(),
        InlineRequestEncoder.BLOCK_LENGTH,
        InlineRequestEncoder.TEMPLATE_ID);
  }

  /** A segment of the request flow with an element or a part of an element. */
  public static byte[] data(long transferId, long segment, long element, int flags, int length) {
    SegmentBuffer frame = new SegmentBuffer(new byte[SPACE_BYTES + length]);
    StreamDataEncoder encoder = new StreamDataEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.transferId(transferId).segment(segment).element(element).flags((short) flags);
    encoder.lengthsCount(1).next().bytes(length);
    encoder.putElements(new byte[length], 0, length);
    return FarSide.framed(
        frame, encoder.limit(), StreamDataEncoder.BLOCK_LENGTH, StreamDataEncoder.TEMPLATE_ID);
  }

  /** The sender of the request flow closes the flow, after the stated segments and cost. */
  public static byte[] close(long transferId, int status, long segments, long costBytes) {
    return close(transferId, StreamFrame.FROM_SENDER, status, segments, costBytes);
  }

  /** The sender of the response flow closes the flow without an element. */
  public static byte[] responseClose(long transferId) {
    return close(transferId, StreamFrame.FROM_SENDER | StreamFrame.RESPONSE, 0, 0, 0);
  }

  private static byte[] close(
      long transferId, int flags, int status, long segments, long costBytes) {
    SegmentBuffer frame = new SegmentBuffer(new byte[SPACE_BYTES]);
    StreamCloseEncoder encoder = new StreamCloseEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.transferId(transferId).segments(segments).costBytes(costBytes);
    encoder.flags((short) flags);
    frame.putByte(FrameStart.LENGTH + StreamCloseEncoder.statusEncodingOffset(), (byte) status);
    encoder.putText(new byte[0], 0, 0);
    return FarSide.framed(
        frame, encoder.limit(), StreamCloseEncoder.BLOCK_LENGTH, StreamCloseEncoder.TEMPLATE_ID);
  }

  /** The receiver of the response flow wants no further element. */
  public static byte[] responseCloseAck(long transferId) {
    SegmentBuffer frame = new SegmentBuffer(new byte[SPACE_BYTES]);
    StreamCloseAckEncoder encoder = new StreamCloseAckEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.transferId(transferId).flags((short) StreamFrame.RESPONSE);
    return FarSide.framed(
        frame,
        encoder.limit(),
        StreamCloseAckEncoder.BLOCK_LENGTH,
        StreamCloseAckEncoder.TEMPLATE_ID);
  }
}
