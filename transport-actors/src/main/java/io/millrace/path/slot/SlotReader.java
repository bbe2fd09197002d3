package io.millrace.path.slot;

import static io.millrace.path.packet.FrameCheck.body;
import static io.millrace.path.packet.FrameCheck.requireBlock;

import io.millrace.memory.SegmentBuffer;
import io.millrace.path.packet.ProtocolViolationException;
import io.millrace.wire.FrameStart;
import io.millrace.wire.codec.PacketSlotsDecoder;

/** Takes the frame PacketSlots apart; rule I-1. Worker's thread only; does not allocate. */
public final class SlotReader {
  private final PacketSlotsDecoder decoder = new PacketSlotsDecoder();

  /** Reads the frame and gives the slots to the path. */
  public void read(PathSlots slots, SegmentBuffer buffer, int at, int end) {
    int block = requireBlock(buffer, at, end, PacketSlotsDecoder.BLOCK_LENGTH);
    decoder.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    long first = decoder.firstSlot();
    int count = decoder.slots();
    if (count == 0 || decoder.slotBytes() == 0 || first + count > Immediate.SLOTS) {
      throw new ProtocolViolationException(
          count + " packet slots of " + decoder.slotBytes() + " bytes from " + first + " on");
    }
    slots.onSlots(decoder.address(), decoder.key(), (int) first, count, decoder.slotBytes());
  }
}
