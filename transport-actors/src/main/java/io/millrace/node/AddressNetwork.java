package io.millrace.node;

import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;

/**
 * What the system knows of the network that a local address is in.
 *
 * @param prefixBits of the network; 0 if that is not known
 * @param bitsPerSecond of the interface; 0 if that is not known
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
