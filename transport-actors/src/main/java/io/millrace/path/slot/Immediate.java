package io.millrace.path.slot;

/**
 * The 32 bits of the immediate value that announces a packet written into a slot; rule I-2. From
 * the lowest bit: 10 bits of length less 1, 12 bits of slot number, 6 bits of generation, 4 bits of
 * type. A NIC carries the value without authentication, so that each field is a claim. Stateless.
 */
public final class Immediate {
  /** The most bytes of a packet in a slot. */
  public static final int MOST_BYTES = 1 << 10;

  /** The number of slots of a worker. */
  public static final int SLOTS = 1 << 12;

  /** The type of a value that announces a packet. */
  static final int PACKET = 1;

  private static final int SLOT_SHIFT = 10;
  private static final int GENERATION_SHIFT = 22;
  private static final int TYPE_SHIFT = 28;
  private static final int GENERATION_MASK = (1 << TYPE_SHIFT - GENERATION_SHIFT) - 1;
  private static final long MASK = 0xFFFF_FFFFL;

  private Immediate() {}

  /**
   * Returns the value for a packet.
   *
   * @param slot 0 to {@value #SLOTS} less 1
   * @param length of the packet, 1 to {@value #MOST_BYTES} bytes
   */
  public static long of(int slot, long packetNumber, int length) {
    if (slot < 0 || slot >= SLOTS || length < 1 || length > MOST_BYTES) {
      throw new IllegalArgumentException(
          "no immediate value says slot " + slot + " and " + length + " bytes");
    }
    return Integer.toUnsignedLong(
        PACKET << TYPE_SHIFT
            | generation(packetNumber) << GENERATION_SHIFT
            | slot << SLOT_SHIFT
            | length - 1);
  }

  /** Whether the value has 32 bits and announces a packet. */
  static boolean isPacket(long immediate) {
    return (immediate & ~MASK) == 0 && immediate >>> TYPE_SHIFT == PACKET;
  }

  static int slot(long immediate) {
    return (int) immediate >>> SLOT_SHIFT & SLOTS - 1;
  }

  static int length(long immediate) {
    return ((int) immediate & MOST_BYTES - 1) + 1;
  }

  /** Whether the value announces a packet with this number, as far as the generation tells. */
  static boolean isOf(long immediate, long packetNumber) {
    return ((int) immediate >>> GENERATION_SHIFT & GENERATION_MASK) == generation(packetNumber);
  }

  private static int generation(long packetNumber) {
    return (int) packetNumber & GENERATION_MASK;
  }
}
