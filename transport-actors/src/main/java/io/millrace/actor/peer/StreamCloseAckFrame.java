package io.millrace.actor.peer;

import io.millrace.wire.FrameStart;
import io.millrace.wire.codec.StreamCloseAckEncoder;
import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;

/** The receiver has all it wants of a flow. One for each flow, and for each repeated close. */
final class StreamCloseAckFrame extends StreamFrame {
  private final long transferId;
  private final boolean isResponse;

  StreamCloseAckFrame(long transferId, boolean isResponse) {
    this.transferId = transferId;
    this.isResponse = isResponse;
  }

  @Override
  @Nullable PathStream streamOrNull() {
    return null;
  }

  @Override
  public int encodedLength() {
    return FrameStart.LENGTH + StreamCloseAckEncoder.BLOCK_LENGTH;
  }

  @Override
  public void encode(MutableDirectBuffer buffer, int offset) {
    FrameStart.encode(
        buffer,
        offset,
        encodedLength(),
        StreamCloseAckEncoder.BLOCK_LENGTH,
        StreamCloseAckEncoder.TEMPLATE_ID);
    new StreamCloseAckEncoder()
        .wrap(buffer, offset + FrameStart.LENGTH)
        .transferId(transferId)
        .flags((short) (isResponse ? RESPONSE : 0));
  }

  @Override
  public boolean isObsolete() {
    return isDelivered();
  }
}
