package io.millrace.protocol.recovery;

/**
 * How much a {@link SentPackets} holds; each value is a power of two. The log starts small and
 * doubles up to its bounds when more is in flight than ever before, so an idle path costs little.
 *
 * @param initialPackets packets at first, 64 or more
 * @param maxPackets from the oldest outstanding packet to the newest, at most 65,536
 * @param initialItems items at first, 64 or more
 * @param maxItems items of outstanding packets, at most 2^20
 */
public record SentLogSettings(int initialPackets, int maxPackets, int initialItems, int maxItems) {
  /** 64 packets and 256 items at first, 4,096 and 65,536 at most: about 600 KiB. */
  public static final SentLogSettings DEFAULT = new SentLogSettings(64, 4096, 256, 65_536);

  private static final int MIN = Long.SIZE;
  private static final int PACKETS_LIMIT = 1 << 16;
  private static final int ITEMS_LIMIT = 1 << 20;

  /** Checks the values. */
  public SentLogSettings {
    check("maxPackets", maxPackets, PACKETS_LIMIT);
    check("initialPackets", initialPackets, maxPackets);
    check("maxItems", maxItems, ITEMS_LIMIT);
    check("initialItems", initialItems, maxItems);
  }

  private static void check(String name, int value, int limit) {
    if (value < MIN || value > limit || Integer.bitCount(value) != 1) {
      throw new IllegalArgumentException(
          name + " must be a power of two in " + MIN + ".." + limit + ": " + value);
    }
  }
}
