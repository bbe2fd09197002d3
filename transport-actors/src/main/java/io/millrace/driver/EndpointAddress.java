package io.millrace.driver;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * Where an endpoint can be reached: opaque bytes that only drivers of the family understand. The
 * address travels in the handshake. The family {@code udp} writes 4 or 16 bytes of IP address
 * followed by 2 bytes of port, all in network order.
 */
public final class EndpointAddress {
  private final String family;
  private final byte[] bytes;

  /** Copies {@code bytes}. */
  public EndpointAddress(String family, byte[] bytes) {
    this.family = family;
    this.bytes = bytes.clone();
  }

  /** The driver family that understands the address's bytes. */
  public String family() {
    return family;
  }

  /** A copy of the bytes. */
  public byte[] bytes() {
    return bytes.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EndpointAddress that
        && family.equals(that.family)
        && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return 31 * family.hashCode() + Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return family + "/" + HexFormat.of().formatHex(bytes);
  }
}
