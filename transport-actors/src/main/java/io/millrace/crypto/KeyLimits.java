package io.millrace.crypto;

/**
 * The limits of a key's sealing, whichever is reached first. The defaults, 2^23 packets and 64 GiB,
 * keep packets of up to 64 KiB within the allowance of RFC 9001, appendix B, for AES-GCM.
 *
 * @param packets packets, 1 to {@value #MAX_PACKETS}
 * @param bytes bytes of header and body, at least 1
 */
public record KeyLimits(long packets, long bytes) {
  /** The most packets that any key may seal. */
  public static final long MAX_PACKETS = 1L << 23;

  /** The most bytes that any key may seal. */
  public static final long MAX_BYTES = 64L << 30;

  /** The largest limits, and the default. */
  public static final KeyLimits DEFAULT = new KeyLimits(MAX_PACKETS, MAX_BYTES);

  /**
   * Checks the limits.
   *
   * @throws IllegalArgumentException if a limit is out of bounds
   */
  public KeyLimits {
    if (packets < 1 || packets > MAX_PACKETS) {
      throw new IllegalArgumentException("a key may seal 1 to 2^23 packets, not " + packets);
    }
    if (bytes < 1 || bytes > MAX_BYTES) {
      throw new IllegalArgumentException("a key may seal 1 byte to 64 GiB, not " + bytes);
    }
  }
}
