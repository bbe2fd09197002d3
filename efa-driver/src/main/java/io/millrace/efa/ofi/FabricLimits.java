package io.millrace.efa.ofi;

/**
 * The sizes granted by a provider.
 *
 * @param transmitEntries the number of operations in the provider's transmit queue
 * @param receiveEntries the number of receives that may be posted
 * @param messageBytes largest message of a send, not of a one-sided write; unsigned
 */
public record FabricLimits(long transmitEntries, long receiveEntries, long messageBytes) {
  /**
   * The limits of a grant.
   *
   * <p>On the fabric efa-direct {@code max_msg_size} is the larger of the limits of sends and of
   * one-sided writes, about 1 GiB, and a send is no longer than the MTU, which that fabric sets to
   * the device's limit of a message. On all other fabrics {@code max_msg_size} holds for sends, and
   * the MTU, where a provider tells any, is that of a link over which the provider sends a long
   * message in parts: tcp over an interface of 1,500 bytes, and also the fabric efa.
   *
   * @param fabric the name of the fabric
   * @param largestBytes the provider's {@code max_msg_size}; unsigned
   * @param linkBytes the MTU of the NIC's link; 0 if unknown
   */
  public static FabricLimits of(
      String fabric, long transmitEntries, long receiveEntries, long largestBytes, long linkBytes) {
    boolean isLinkTheLimit =
        fabric.equals(FabricInfo.EFA_DIRECT)
            && linkBytes > 0
            && Long.compareUnsigned(linkBytes, largestBytes) < 0;
    return new FabricLimits(
        transmitEntries, receiveEntries, isLinkTheLimit ? linkBytes : largestBytes);
  }
}
