package io.millrace.testkit.internal.oracle;

import io.millrace.testkit.internal.node.PlainPacket;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import org.agrona.DirectBuffer;

/** Receives the frames of packets, except packets of chunks. */
@FunctionalInterface
interface FrameVisitor {
  /**
   * Receives a frame.
   *
   * @param packet that holds the frame
   * @param template type of the frame
   * @param frame offset of the frame in the packet's buffer
   */
  void onFrame(PlainPacket packet, int template, int frame);

  /** Shows the frames of a packet, in order. */
  static void visit(PlainPacket packet, FrameVisitor visitor) {
    DirectBuffer buffer = packet.buffer();
    if (buffer.getByte(packet.offset()) == PacketHeader.FORM_CHUNKS) {
      return;
    }
    int at = packet.bodyOffset();
    int end = at + packet.bodyLength();
    while (at + FrameStart.LENGTH <= end && FrameStart.frameLength(buffer, at) > 0) {
      visitor.onFrame(packet, FrameStart.templateId(buffer, at), at);
      at += FrameStart.frameLength(buffer, at);
    }
  }
}
