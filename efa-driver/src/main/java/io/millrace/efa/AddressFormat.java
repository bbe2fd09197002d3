package io.millrace.efa;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointAddress;
import io.millrace.efa.ofi.FabricConstants;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Turns the provider's addresses into addresses of the SPI and back, and refuses foreign bytes that
 * a native library should not see.
 *
 * <p>IP addresses travel as 4 or 16 bytes of address and 2 bytes of port, all in network order, so
 * the format is the same on every system. Other addresses travel unchanged.
 */
final class AddressFormat {
  /** Limit of a string's bytes, with its end: the provider shm keeps 256 bytes of a name. */
  private static final int MAX_STRING_BYTES = 256;

  private static final byte[] SCHEME_END = "://".getBytes(StandardCharsets.US_ASCII);
  private static final int PORT_BYTES = 2;

  /** The offset of the port in {@code struct sockaddr_in} and {@code struct sockaddr_in6}. */
  private static final int PORT_OFFSET = 2;

  private final String family;
  private final int format;
  private final byte[] local;

  /**
   * @param family the driver's family of addresses
   * @param format {@code FI_SOCKADDR_IN} and the like
   * @param local the endpoint's own address, in the provider's form
   * @throws DriverException if the endpoint's own address is shorter than its format
   */
  AddressFormat(String family, int format, byte[] local) throws DriverException {
    this.family = family;
    this.format = format;
    this.local = local.clone();
    if (isIp() && local.length < ipOffset() + ipBytes()) {
      throw new DriverException(
          "the provider's address of " + family + " has only " + local.length + " bytes");
    }
  }

  /** Whether addresses are strings, as those of shared memory are. */
  boolean isString() {
    return format == FabricConstants.FI_ADDR_STR;
  }

  /** Returns the endpoint's own address. */
  EndpointAddress localAddress() {
    if (!isIp()) {
      return new EndpointAddress(family, local);
    }
    byte[] bytes = new byte[ipBytes() + PORT_BYTES];
    System.arraycopy(local, ipOffset(), bytes, 0, ipBytes());
    System.arraycopy(local, PORT_OFFSET, bytes, ipBytes(), PORT_BYTES);
    return new EndpointAddress(family, bytes);
  }

  /**
   * Returns the provider's form of {@code address}, as long as the provider reads: as long as the
   * endpoint's own address, or with the end of a string.
   *
   * @throws DriverException if the bytes cannot be an address of this provider
   */
  byte[] toProvider(EndpointAddress address) throws DriverException {
    if (!address.family().equals(family)) {
      throw new DriverException(address + " is not of the family " + family);
    }
    byte[] bytes = address.bytes();
    if (!isWellFormed(bytes)) {
      throw new DriverException(
          "%s has %d bytes and is not an address of %s".formatted(address, bytes.length, family));
    }
    if (!isIp()) {
      return bytes;
    }
    // the rest of the structure, its family first, is the same as in the endpoint's own address
    byte[] socketAddress = local.clone();
    System.arraycopy(bytes, 0, socketAddress, ipOffset(), ipBytes());
    System.arraycopy(bytes, ipBytes(), socketAddress, PORT_OFFSET, PORT_BYTES);
    return socketAddress;
  }

  private boolean isWellFormed(byte[] bytes) {
    if (isIp()) {
      return bytes.length == ipBytes() + PORT_BYTES
          && (bytes[ipBytes()] != 0 || bytes[ipBytes() + 1] != 0);
    }
    return isString() ? isName(bytes) : bytes.length == local.length && bytes.length > 0;
  }

  /** Whether the bytes are one C string: the own address's scheme and an endpoint's name. */
  private boolean isName(byte[] bytes) {
    int end = bytes.length - 1;
    if (end < 1 || bytes.length > MAX_STRING_BYTES || bytes[end] != 0) {
      return false;
    }
    int scheme = schemeBytes();
    return end > scheme
        && Arrays.equals(bytes, 0, scheme, local, 0, scheme)
        && SharedMemoryNames.isName(
            new String(bytes, scheme, end - scheme, StandardCharsets.ISO_8859_1));
  }

  private int schemeBytes() {
    for (int i = 0; i + SCHEME_END.length <= local.length; i++) {
      if (Arrays.equals(local, i, i + SCHEME_END.length, SCHEME_END, 0, SCHEME_END.length)) {
        return i + SCHEME_END.length;
      }
    }
    return 0;
  }

  private boolean isIp() {
    return format == FabricConstants.FI_SOCKADDR_IN || format == FabricConstants.FI_SOCKADDR_IN6;
  }

  private int ipBytes() {
    return format == FabricConstants.FI_SOCKADDR_IN ? 4 : 16;
  }

  private int ipOffset() {
    return format == FabricConstants.FI_SOCKADDR_IN ? 4 : 8;
  }
}
