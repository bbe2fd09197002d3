package io.millrace.actor.peer;

/** Kinds of the items of transfers by write tokens; see {@link ChunkItem} for chunks. */
final class WriteItems {
  /** A notification; the rest is its place among those that are under way. */
  static final int NOTIFY = 17;

  /** A consumed fill and what follows it; the rest is region and fill. */
  static final int CONSUMED = 18;

  /** A revoked region; the rest is its place among those that the peer does not know of. */
  static final int REVOKED = 19;

  /** A token; the rest is region and fill. */
  static final int GRANT = 20;

  /** A request for regions. */
  static final int REQUEST = 21;

  /** A frame of {@link RareFrames}; the rest is its number. */
  static final int RARE = 22;

  /** A frame of {@link StreamFrames}; the rest is its number. */
  static final int STREAM = 23;

  private static final int FILL_BITS = 32;
  private static final int REGION_MASK = (1 << 24) - 1;

  private WriteItems() {}

  static long ofRegion(int kind, int region, int fill) {
    return ((long) kind << 56)
        | ((long) (region & REGION_MASK) << FILL_BITS)
        | (fill & 0xFFFF_FFFFL);
  }

  static long ofRare(long number) {
    return ((long) RARE << 56) | number;
  }

  static long ofStream(long number) {
    return ((long) STREAM << 56) | number;
  }

  static int region(long item) {
    return (int) (item >>> FILL_BITS) & REGION_MASK;
  }

  static int fill(long item) {
    return (int) item;
  }
}
