package io.millrace.path.stream;

import io.millrace.wire.FrameStart;
import io.millrace.wire.codec.StreamCreditEncoder;
import java.util.stream.Stream;
import org.agrona.MutableDirectBuffer;

/**
 * The total credit of the receiver of a flow. The receiver sends a frame for each half of a window.
 */
final class StreamCreditFrame extends StreamFrame {
  private final Stream stream;
  private final long elements;
  private final long bytes;

  StreamCreditFrame(StreamFrames owner, Stream stream, long elements, long bytes) {
    super(owner);
    this.stream = stream;
    this.elements = elements;
    this.bytes = bytes;
  }

  @Override
  Stream streamOrNull() {
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
