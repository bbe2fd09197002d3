package io.millrace.testkit.internal.oracle;

import io.millrace.testkit.internal.node.PlainPacket;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.AckDecoder;
import io.millrace.wire.codec.PathCloseDecoder;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/** The kind of a packet by its frames. */
enum Frames {
  /** At least one frame asks for an acknowledgement. */
  ELICITING,
  /** All frames are acknowledgements. */
  ACKS_ONLY,
  /** The packet holds the notice of a path's end. */
  OTHER;

  static Frames of(PlainPacket packet) {
    DirectBuffer buffer = packet.buffer();
    if (buffer.getByte(packet.offset()) == PacketHeader.FORM_CHUNKS) {
      return ELICITING;
    }
    int end = packet.bodyOffset() + packet.bodyLength();
    int at = packet.bodyOffset();
    boolean hasAck = false;
    while (at + FrameStart.LENGTH <= end && FrameStart.frameLength(buffer, at) > 0) {
      int template = FrameStart.templateId(buffer, at);
      hasAck |= template == AckDecoder.TEMPLATE_ID;
      if (template != AckDecoder.TEMPLATE_ID && template != PathCloseDecoder.TEMPLATE_ID) {
        return ELICITING;
      }
      at += FrameStart.frameLength(buffer, at);
    }
    return hasAck ? ACKS_ONLY : OTHER;
  }

  /** Returns the inline credit in a packet whose first frame is an acknowledgement. */
  static long inlineLimit(PlainPacket packet) {
    int at = packet.bodyOffset() + FrameStart.LENGTH + AckDecoder.inlineLimitEncodingOffset();
    return packet.buffer().getLong(at, ByteOrder.LITTLE_ENDIAN);
  }
}
