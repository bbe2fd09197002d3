package io.millrace.path.slot;

import static io.millrace.path.packet.FrameCheck.body;
import static io.millrace.path.packet.FrameCheck.requireBlock;

import io.millrace.memory.SegmentBuffer;
import io.millrace.path.packet.PathTerms;
import io.millrace.path.packet.ProtocolViolationException;
import io.millrace.wire.FrameStart;
import io.millrace.wire.codec.PacketSlotsDecoder;
import org.jspecify.annotations.Nullable;

/** Takes the frame PacketSlots apart, which is rare; rule I-1. Stateless. */
public final class SlotReader {
  private SlotReader() {}

  /**
   * Reads the frame and gives the slots to the path.
   *
   * @param slots of the path; null if this side has none on the path, and ignores the frame
   */
  public static void read(
      PathTerms terms, @Nullable PathSlots slots, SegmentBuffer buffer, int at, int end) {
    if (!terms.hasImmediates()) {
      throw new ProtocolViolationException("packet slots, which were not agreed on");
    }
    int block = requireBlock(buffer, at, end, PacketSlotsDecoder.BLOCK_LENGTH);
    PacketSlotsDecoder decoder =
        new PacketSlotsDecoder().wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    long first = decoder.firstSlot();
    int count = decoder.slots();
    if (count == 0 || decoder.slotBytes() == 0 || first + count > Immediate.SLOTS) {
      throw new ProtocolViolationException(
          count + " packet slots of " + decoder.slotBytes() + " bytes from " + first + " on");
    }
    if (slots != null) {
      slots.onSlots(decoder.address(), decoder.key(), (int) first, count, decoder.slotBytes());
    }
  }
}
