package io.millrace.node;

import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;

/**
 * The system's knowledge of the network of a local address.
 *
 * @param prefixBits the length of the network's prefix; 0 if unknown
 * @param bitsPerSecond the speed of the interface; 0 if unknown
 * @param isInner whether the interface leads to this host alone, as far as the system tells
 */
public record AddressNetwork(int prefixBits, long bitsPerSecond, boolean isInner) {
  /** Nothing is known. */
  public static final AddressNetwork UNKNOWN = new AddressNetwork(0, 0, false);

  /** Asks the system; nothing is known of addresses that stand for all, and of the loopback. */
  public static AddressNetwork of(InetAddress address) {
    if (address.isAnyLocalAddress() || address.isLoopbackAddress()) {
      return UNKNOWN;
    }
    return SystemNics.list().stream()
        .filter(nic -> nic.addresses().contains(address))
        .findFirst()
        .map(
            nic ->
                new AddressNetwork(
                    prefixOf(address),
                    nic.speedBitsPerSecond(),
                    SystemNics.kindOf(nic.name()) == SystemNics.Kind.INNER))
        .orElseGet(() -> new AddressNetwork(prefixOf(address), 0, false));
  }

  private static int prefixOf(InetAddress address) {
    try {
      NetworkInterface nic = NetworkInterface.getByInetAddress(address);
      return nic == null
          ? 0
          : nic.getInterfaceAddresses().stream()
              .filter(each -> address.equals(each.getAddress()))
              .mapToInt(InterfaceAddress::getNetworkPrefixLength)
              .map(bits -> Math.max(0, bits))
              .findFirst()
              .orElse(0);
    } catch (SocketException e) {
      return 0;
    }
  }
}
