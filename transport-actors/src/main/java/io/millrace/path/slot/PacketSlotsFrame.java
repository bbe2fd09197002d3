package io.millrace.path.slot;

import io.millrace.path.packet.RareFrame;
import io.millrace.wire.FrameStart;
import io.millrace.wire.codec.PacketSlotsEncoder;
import org.agrona.MutableDirectBuffer;

/** Tells the peer of the slots that its packets may be written into. Rare. */
final class PacketSlotsFrame extends RareFrame {
  private final SlotBlock block;

  PacketSlotsFrame(SlotBlock block) {
    this.block = block;
  }

  @Override
  public int encodedLength() {
    return FrameStart.LENGTH + PacketSlotsEncoder.BLOCK_LENGTH;
  }

  @Override
  public void encode(MutableDirectBuffer buffer, int offset) {
    FrameStart.encode(
        buffer,
        offset,
        encodedLength(),
        PacketSlotsEncoder.BLOCK_LENGTH,
        PacketSlotsEncoder.TEMPLATE_ID);
    new PacketSlotsEncoder()
        .wrap(buffer, offset + FrameStart.LENGTH)
        .address(block.target().remoteBase())
        .key(block.target().remoteKey())
        .firstSlot(block.firstSlot())
        .slots(block.slots())
        .slotBytes(Immediate.MOST_BYTES);
  }

  @Override
  public boolean isObsolete() {
    return false;
  }
}
