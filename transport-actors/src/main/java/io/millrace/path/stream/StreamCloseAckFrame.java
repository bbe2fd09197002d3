package io.millrace.path.stream;

import io.millrace.wire.FrameStart;
import io.millrace.wire.codec.StreamCloseAckEncoder;
import java.util.stream.Stream;
import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;

/** The receiver has all wanted elements of a flow. Kept by {@link CloseAcks} until arrival. */
final class StreamCloseAckFrame extends StreamFrame {
  private final CloseAcks acks;
  private long transferId;
  private final boolean isResponse;

  StreamCloseAckFrame(StreamFrames owner, CloseAcks acks, long transferId, boolean isResponse) {
    super(owner);
    this.acks = acks;
    this.transferId = transferId;
    this.isResponse = isResponse;
  }

  long transferId() {
    return transferId;
  }

  boolean isResponse() {
    return isResponse;
  }

  /** The waiting frame, sent the first time or again, says this instead. */
  void say(long newTransferId) {
    transferId = newTransferId;
  }

  @Override
  @Nullable Stream streamOrNull() {
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

  @Override
  void onForgotten() {
    acks.onForgotten(this);
  }
}
