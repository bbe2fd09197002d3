package io.millrace.efa;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointAddress;
import io.millrace.efa.ofi.FabricConstants;

/**
 * Turns the provider's addresses into those of the SPI and back, and refuses bytes from elsewhere
 * that a native library should not see.
 *
 * <p>IP addresses travel as 4 or 16 bytes of address and 2 of port, all in network order, so that
 * they are the same on every system; others travel as they are.
 */
final class AddressFormat {
  private static final int MAX_BYTES = 256;
  private static final int EFA_BYTES = 32;
  private static final int PORT_BYTES = 2;

  /** Where the port lies in {@code struct sockaddr_in} and {@code struct sockaddr_in6}. */
  private static final int PORT_OFFSET = 2;

  private final String family;
  private final int format;
  private final byte[] local;

  /**
   * @param family of the driver
   * @param format {@code FI_SOCKADDR_IN} and the like
   * @param local the endpoint's own address, in the provider's form
   */
  AddressFormat(String family, int format, byte[] local) {
    this.family = family;
    this.format = format;
    this.local = local.clone();
  }

  /** The endpoint's own address. */
  EndpointAddress localAddress() {
    if (!isIp()) {
      return new EndpointAddress(family, local);
    }
    byte[] bytes = new byte[ipBytes() + PORT_BYTES];
    System.arraycopy(local, ipOffset(), bytes, 0, ipBytes());
    System.arraycopy(local, PORT_OFFSET, bytes, ipBytes(), PORT_BYTES);
    return new EndpointAddress(family, bytes);
  }

  /** The provider's form of {@code address}; throws if it cannot be one of this provider's. */
  byte[] toProvider(EndpointAddress address) throws DriverException {
    if (!address.family().equals(family)) {
      throw new DriverException(address + " is not of the family " + family);
    }
    byte[] bytes = address.bytes();
    if (!isWellFormed(bytes)) {
      throw new DriverException(address + " is not an address of " + family);
    }
    if (!isIp()) {
      return bytes;
    }
    // the rest of the structure, its family first, is the same as in our own
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
    return switch (format) {
      case FabricConstants.FI_ADDR_EFA -> bytes.length == EFA_BYTES;
      // a C string
      case FabricConstants.FI_ADDR_STR ->
          bytes.length > 1 && bytes.length <= MAX_BYTES && bytes[bytes.length - 1] == 0;
      default -> bytes.length > 0 && bytes.length <= MAX_BYTES;
    };
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
