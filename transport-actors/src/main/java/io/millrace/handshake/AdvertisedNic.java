package io.millrace.handshake;

/**
 * The NIC of an endpoint, in the form told to peers.
 *
 * @param number the NIC's number in its node, 0 to 255
 * @param isOneSided whether the driver writes into the memory of peers
 * @param prefixBits prefix length of the address's network, 0 to 128; 0 if unknown
 * @param speedMbps Mbit/s; 0 if unknown
 * @param isInner whether the NIC leads to the node's own host alone, as far as the system tells: a
 *     bridge without a device, for example
 * @param readsImmediates whether the node reads packets that were written with an immediate value
 * @param readsPieces whether the node reads frames in pieces
 */
public record AdvertisedNic(
    int number,
    boolean isOneSided,
    int prefixBits,
    long speedMbps,
    boolean isInner,
    boolean readsImmediates,
    boolean readsPieces) {
  /** The only NIC of a node without known facts. */
  public static final AdvertisedNic ONLY = new AdvertisedNic(0, false, 0, 0);

  private static final int MAX_NUMBER = 255;
  private static final int MAX_PREFIX = 128;
  private static final long MAX_SPEED = 0xFFFF_FFFEL;

  /**
   * A NIC that may lead to other hosts, of a node that reads frames in pieces, and no packets
   * written by peers.
   */
  public AdvertisedNic(int number, boolean isOneSided, int prefixBits, long speedMbps) {
    this(number, isOneSided, prefixBits, speedMbps, false);
  }

  /**
   * A NIC of a node that reads frames in pieces, and no packets written with an immediate value.
   */
  public AdvertisedNic(
      int number, boolean isOneSided, int prefixBits, long speedMbps, boolean isInner) {
    this(number, isOneSided, prefixBits, speedMbps, isInner, false, true);
  }

  /** Checks the bounds. */
  public AdvertisedNic {
    if (number < 0 || number > MAX_NUMBER) {
      throw new IllegalArgumentException("a NIC is 0 to 255, not " + number);
    }
    if (prefixBits < 0 || prefixBits > MAX_PREFIX) {
      throw new IllegalArgumentException("a prefix has 0 to 128 bits, not " + prefixBits);
    }
    if (speedMbps < 0 || speedMbps > MAX_SPEED) {
      throw new IllegalArgumentException("a speed has 32 bits, not " + speedMbps);
    }
  }

  /** The same of a node that reads packets written with an immediate value. */
  public AdvertisedNic readingImmediates() {
    return new AdvertisedNic(number, isOneSided, prefixBits, speedMbps, isInner, true, readsPieces);
  }
}
