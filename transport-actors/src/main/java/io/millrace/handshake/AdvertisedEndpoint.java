package io.millrace.handshake;

import io.millrace.driver.EndpointAddress;

/**
 * The address of a node's worker in a driver family.
 *
 * @param worker 0 to 255
 * @param nic the endpoint's NIC, and the driver's abilities there
 * @param address family of 1 to {@value #MAX_FAMILY_LENGTH} printable ASCII characters, and 1 to
 *     {@value #MAX_ADDRESS_LENGTH} bytes that only the family understands
 */
public record AdvertisedEndpoint(int worker, AdvertisedNic nic, EndpointAddress address) {
  /** The longest name of a driver family. */
  public static final int MAX_FAMILY_LENGTH = 32;

  /** The longest address, bytes. */
  public static final int MAX_ADDRESS_LENGTH = 128;

  private static final int MAX_WORKER = 255;

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException naming the value out of bounds
   */
  public AdvertisedEndpoint {
    if (worker < 0 || worker > MAX_WORKER) {
      throw new IllegalArgumentException("a worker is 0 to 255, not " + worker);
    }
    String family = address.family();
    if (family.isEmpty()
        || family.length() > MAX_FAMILY_LENGTH
        || !family.chars().allMatch(c -> c > ' ' && c < 0x7F)) {
      throw new IllegalArgumentException("a driver family is 1 to 32 printable ASCII characters");
    }
    int length = address.bytes().length;
    if (length == 0 || length > MAX_ADDRESS_LENGTH) {
      throw new IllegalArgumentException("an endpoint address is 1 to 128 bytes, not " + length);
    }
  }
}
