package io.millrace.actor.peer;

import io.millrace.wire.FrameStart;
import io.millrace.wire.codec.DrainEncoder;
import org.agrona.MutableDirectBuffer;

/** Tells the peer of one step to the end of a path; rule T-11. Rare. */
final class DrainFrame extends RareFrame {
  /** The sender begins no transfer of the receiver any more. */
  static final int LEAVING = 1;

  /** No transfer of the sender is open on the path, and none will be. */
  static final int SETTLED = 2;

  private final int flags;

  DrainFrame(int flags) {
    this.flags = flags;
  }

  @Override
  public int encodedLength() {
    return FrameStart.LENGTH + DrainEncoder.BLOCK_LENGTH;
  }

  @Override
  public void encode(MutableDirectBuffer buffer, int offset) {
    FrameStart.encode(
        buffer, offset, encodedLength(), DrainEncoder.BLOCK_LENGTH, DrainEncoder.TEMPLATE_ID);
    new DrainEncoder().wrap(buffer, offset + FrameStart.LENGTH).flags((short) flags);
  }

  @Override
  public boolean isObsolete() {
    return false;
  }
}
