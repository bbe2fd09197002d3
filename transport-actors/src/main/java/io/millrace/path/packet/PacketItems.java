package io.millrace.path.packet;

import io.millrace.protocol.transfer.OutboundFrame;

/**
 * The kinds of the items that loss recovery keeps for packets. The first byte of an item is the
 * kind; the other 56 bits, called the rest, depend on the kind. The items of requests and responses
 * are {@link OutboundFrame#KIND_REQUEST} and {@link OutboundFrame#KIND_RESPONSE}.
 */
public final class PacketItems {
  /** A probe; the rest is the size of its packet and the number of the search, or 0. */
  public static final int PROBE = 3;

  /** An inline limit for the peer to learn. */
  public static final int CREDIT = 5;

  /** An Ack frame with gaps; the rest is the largest packet number in the frame. */
  public static final int REPORT = 6;

  /** A chunk; the rest names the region, the fill and the bytes. */
  public static final int CHUNK = 16;

  /** A notification; the rest is its place among the notifications under way. */
  public static final int NOTIFY = 17;

  /** A consumed fill and the fill's successor; the rest is region and fill. */
  public static final int CONSUMED = 18;

  /**
   * A revoked region; the rest is the region's place among the revoked regions not yet known to the
   * peer.
   */
  public static final int REVOKED = 19;

  /** A token; the rest is region and fill. */
  public static final int GRANT = 20;

  /** A request for regions; the rest is the number of the request. */
  public static final int REQUEST = 21;

  /** A {@link RareFrame}; the rest is the number of the frame. */
  public static final int RARE = 22;

  /** A frame of a stream; the rest is the number of the frame. */
  public static final int STREAM = 23;

  /**
   * A challenge; the rest comes from the nonce. A rest of 0 stands for an answer to a challenge;
   * the path does not repeat answers.
   */
  public static final int CHALLENGE = 24;

  /** The rail of the path; the rest is the number of the move, or the rail being tried. */
  public static final int RAIL = 25;

  /** A piece of a frame; the rest is the number of the frame and the place of the piece. */
  public static final int PIECE = 26;

  static final int KINDS = 27;
  private static final int KIND_SHIFT = 56;
  private static final int FILL_BITS = 32;
  private static final int REGION_MASK = (1 << 24) - 1;

  /** The bits of an item without the bits of the kind. */
  public static final long REST_MASK = (1L << KIND_SHIFT) - 1;

  private PacketItems() {}

  /** The kind of an item. */
  public static int kind(long item) {
    return (int) (item >>> KIND_SHIFT);
  }

  /** An item of this kind; the rest has 56 bits. */
  public static long of(int kind, long rest) {
    return ((long) kind << KIND_SHIFT) | rest;
  }

  /** An item about a fill of a region. */
  public static long ofRegion(int kind, int region, int fill) {
    return of(kind, ((long) (region & REGION_MASK) << FILL_BITS) | (fill & 0xFFFF_FFFFL));
  }

  /** The region of an item about a fill. */
  public static int region(long item) {
    return (int) (item >>> FILL_BITS) & REGION_MASK;
  }

  /** The fill of such an item. */
  public static int fill(long item) {
    return (int) item;
  }
}
