package io.millrace.path.write;

import io.millrace.path.packet.PacketItems;

/**
 * The item of a chunk in loss recovery. The bits: 8 of kind, 14 of the token's slot, 8 of the
 * fill's number, 20 of the offset in the region, 14 of the length.
 */
final class ChunkItem {
  /** The most slots for tokens of one path. */
  static final int MAX_SLOTS = 1 << 14;

  /** The most bytes of a chunk. */
  static final int MAX_LENGTH = (1 << 14) - 1;

  private static final int AT_SHIFT = 14;
  private static final int FILL_SHIFT = 34;
  private static final int SLOT_SHIFT = 42;
  private static final int AT_MASK = (1 << 20) - 1;
  private static final int FILL_MASK = 0xFF;

  private ChunkItem() {}

  static long of(int slot, int fill, int at, int length) {
    return PacketItems.of(PacketItems.CHUNK, (long) slot << SLOT_SHIFT)
        | ((long) (fill & FILL_MASK) << FILL_SHIFT)
        | ((long) at << AT_SHIFT)
        | length;
  }

  static int slot(long item) {
    return (int) (item >>> SLOT_SHIFT) & (MAX_SLOTS - 1);
  }

  static boolean isOfFill(long item, int fill) {
    return ((int) (item >>> FILL_SHIFT) & FILL_MASK) == (fill & FILL_MASK);
  }

  static int at(long item) {
    return (int) (item >>> AT_SHIFT) & AT_MASK;
  }

  static int length(long item) {
    return (int) item & MAX_LENGTH;
  }
}
