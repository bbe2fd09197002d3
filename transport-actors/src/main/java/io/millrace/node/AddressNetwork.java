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
 */
public record AddressNetwork(int prefixBits, long bitsPerSecond) {
  /** Nothing is known. */
  public static final AddressNetwork UNKNOWN = new AddressNetwork(0, 0);

  /** Asks the system; nothing is known of addresses that stand for all, and of the loopback. */
  public static AddressNetwork of(InetAddress address) {
    if (address.isAnyLocalAddress() || address.isLoopbackAddress()) {
      return UNKNOWN;
    }
    long bits =
        SystemNics.list().stream()
            .filter(nic -> nic.addresses().contains(address))
            .mapToLong(SystemNics.Nic::speedBitsPerSecond)
            .findFirst()
            .orElse(0);
    return new AddressNetwork(prefixOf(address), bits);
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
