package io.millrace.actor.peer;

import io.millrace.wire.FrameStart;
import io.millrace.wire.codec.StreamCreditEncoder;
import org.agrona.MutableDirectBuffer;

/** How much the receiver of one flow takes in all. One for half a window. */
final class StreamCreditFrame extends StreamFrame {
  private final PathStream stream;
  private final long elements;
  private final long bytes;

  StreamCreditFrame(PathStream stream, long elements, long bytes) {
    this.stream = stream;
    this.elements = elements;
    this.bytes = bytes;
  }

  @Override
  PathStream streamOrNull() {
    return stream;
  }

  @Override
  public int encodedLength() {
    return FrameStart.LENGTH + StreamCreditEncoder.BLOCK_LENGTH;
  }

  @Override
  public void encode(MutableDirectBuffer buffer, int offset) {
    FrameStart.encode(
        buffer,
        offset,
        encodedLength(),
        StreamCreditEncoder.BLOCK_LENGTH,
        StreamCreditEncoder.TEMPLATE_ID);
    new StreamCreditEncoder()
        .wrap(buffer, offset + FrameStart.LENGTH)
        .transferId(stream.transferId())
        .elements(elements)
        .bytes(bytes)
        .flags((short) (stream.isOpener() ? RESPONSE : 0));
  }

  @Override
  public boolean isObsolete() {
    return isDelivered() || !stream.isCreditWanted(elements, bytes);
  }
}
