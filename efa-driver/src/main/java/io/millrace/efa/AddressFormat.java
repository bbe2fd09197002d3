package io.millrace.efa;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointAddress;
import io.millrace.efa.ofi.FabricConstants;

/**
 * Turns the provider's addresses into addresses of the SPI and back, and refuses foreign bytes that
 * a native library should not see.
 *
 * <p>IP addresses travel as 4 or 16 bytes of address and 2 bytes of port, all in network order, so
 * the format is the same on every system. Other addresses travel unchanged.
 */
final class AddressFormat {
  private static final int MAX_BYTES = 256;
  private static final int EFA_BYTES = 32;
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
   */
  AddressFormat(String family, int format, byte[] local) {
    this.family = family;
    this.format = format;
    this.local = local.clone();
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
   * Returns the provider's form of {@code address}; throws if the bytes cannot be an address of
   * this provider.
   */
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
