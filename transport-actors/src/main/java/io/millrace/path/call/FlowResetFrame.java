package io.millrace.path.call;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.path.packet.RareFrame;
import io.millrace.wire.FrameStart;
import io.millrace.wire.codec.FlowResetEncoder;
import io.millrace.wire.codec.ResetReason;
import java.util.Arrays;
import org.agrona.MutableDirectBuffer;

/** Tells the peer of the end of one direction of a transfer. A rare frame. */
final class FlowResetFrame extends RareFrame {
  private static final int MAX_TEXT_BYTES = 512;
  private static final int DATA_HEADER = 2;

  private final long transferId;
  private final int flags;
  private final ResetReason reason;
  private final int requestCostBytes;
  private final long number;
  private final byte[] text;

  FlowResetFrame(long transferId, int flags, ResetReason reason, String text) {
    this(transferId, flags, reason, 0, 0, text);
  }

  FlowResetFrame(
      long transferId,
      int flags,
      ResetReason reason,
      int requestCostBytes,
      long number,
      String text) {
    this.transferId = transferId;
    this.requestCostBytes = requestCostBytes;
    this.number = number;
    this.flags = flags;
    this.reason = reason;
    byte[] bytes = text.getBytes(UTF_8);
    this.text = bytes.length > MAX_TEXT_BYTES ? Arrays.copyOf(bytes, MAX_TEXT_BYTES) : bytes;
  }

  @Override
  public int encodedLength() {
    return FrameStart.LENGTH + FlowResetEncoder.BLOCK_LENGTH + DATA_HEADER + text.length;
  }

  @Override
  public void encode(MutableDirectBuffer buffer, int offset) {
    FrameStart.encode(
        buffer,
        offset,
        encodedLength(),
        FlowResetEncoder.BLOCK_LENGTH,
        FlowResetEncoder.TEMPLATE_ID);
    new FlowResetEncoder()
        .wrap(buffer, offset + FrameStart.LENGTH)
        .transferId(transferId)
        .flags((short) flags)
        .reason(reason)
        .costBytes(requestCostBytes)
        .number(number)
        .putText(text, 0, text.length);
  }

  @Override
  public boolean isObsolete() {
    return false;
  }
}
