package io.millrace.config;

import java.net.InetAddress;
import java.util.List;
import java.util.Set;

/**
 * The drivers that lead to some peers; an entry of {@code millrace.peers}.
 *
 * @param address {@code host:port} of a peer, an IP address, or a network such as 10.0.0.0/8
 * @param drivers names of drivers; the preferred first
 * @param mayFallBack whether another driver may be used where no pinned driver leads to the peer
 */
public record PeerPin(String address, List<String> drivers, boolean mayFallBack) {
  private static final Set<String> KEYS = Set.of("address", "drivers", "fall-back");
  private static final int BYTE = 8;

  static List<PeerPin> from(Section root) {
    return root.blocks("peers", KEYS).stream().map(PeerPin::one).toList();
  }

  private static PeerPin one(Section entry) {
    List<String> drivers = entry.stringOrStrings("drivers");
    if (drivers.isEmpty()) {
      throw new SettingsException(entry.key("drivers"), "names no driver");
    }
    PeerPin pin =
        new PeerPin(
            entry.string("address"), drivers, entry.has("fall-back") && entry.flag("fall-back"));
    if (pin.address().contains("/") && !isNetwork(pin.address())) {
      throw new SettingsException(
          entry.key("address"), "must be like 10.0.0.0/8, not '" + pin.address() + "'");
    }
    return pin;
  }

  private static boolean isNetwork(String text) {
    int slash = text.indexOf('/');
    try {
      byte[] network = InetAddress.ofLiteral(text.substring(0, slash)).getAddress();
      int bits = Integer.parseInt(text.substring(slash + 1));
      return bits >= 0 && bits <= network.length * BYTE;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Whether the pin is for the peer with this handshake address, in numbers. */
  public boolean isFor(String identity) {
    int colon = identity.lastIndexOf(':');
    String host = colon < 0 ? identity : identity.substring(0, colon);
    String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    int slash = address.indexOf('/');
    return slash < 0
        ? address.equals(identity) || address.equals(bare)
        : isWithin(
            bare, address.substring(0, slash), Integer.parseInt(address.substring(slash + 1)));
  }

  private static boolean isWithin(String host, String network, int bits) {
    byte[] one;
    byte[] other;
    try {
      one = InetAddress.ofLiteral(host).getAddress();
      other = InetAddress.ofLiteral(network).getAddress();
    } catch (IllegalArgumentException e) {
      return false;
    }
    if (one.length != other.length) {
      return false;
    }
    for (int i = 0; i < bits; i++) {
      int mask = 1 << (BYTE - 1 - i % BYTE);
      if ((one[i / BYTE] & mask) != (other[i / BYTE] & mask)) {
        return false;
      }
    }
    return true;
  }
}
