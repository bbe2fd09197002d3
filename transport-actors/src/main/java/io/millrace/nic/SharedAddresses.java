package io.millrace.nic;

import io.millrace.handshake.Advert;
import io.millrace.handshake.AdvertisedEndpoint;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The IP addresses that lead two nodes of different hosts each to its own host; rule N-12: the
 * addresses of both adverts, for example that of a container bridge, and between hosts that are
 * known the loopback. Both sides find the same addresses. Immutable, any thread.
 */
public final class SharedAddresses {
  /** Both nodes are on one host, where an address may be that of both. */
  public static final SharedAddresses NONE = new SharedAddresses(new HashSet<>());

  private static final int PORT_BYTES = 2;
  private static final int IPV4_BYTES = 4;
  private static final int IPV6_BYTES = 16;

  private final Set<ByteBuffer> shared;

  private SharedAddresses(Set<ByteBuffer> shared) {
    this.shared = shared;
  }

  /** The addresses that lead the nodes of these two adverts to themselves. */
  public static SharedAddresses of(Advert one, Advert other) {
    Set<ByteBuffer> first = addresses(one.endpoints());
    Set<ByteBuffer> second = addresses(other.endpoints());
    Set<ByteBuffer> both = new HashSet<>(first);
    both.retainAll(second);
    boolean isKnown = one.host() != Advert.UNKNOWN_HOST && other.host() != Advert.UNKNOWN_HOST;
    boolean isOneHost =
        isKnown
            ? one.host() == other.host()
            : both.size() == first.size() || both.size() == second.size();
    if (isOneHost) {
      return NONE;
    }
    if (isKnown) {
      first.stream().filter(SharedAddresses::isOfAnyHost).forEach(both::add);
      second.stream().filter(SharedAddresses::isOfAnyHost).forEach(both::add);
    }
    return both.isEmpty() ? NONE : new SharedAddresses(both);
  }

  /** Whether the address leads to the sender itself on each host. */
  private static boolean isOfAnyHost(ByteBuffer address) {
    byte[] bytes = new byte[address.remaining()];
    address.duplicate().get(bytes);
    try {
      InetAddress ip = InetAddress.getByAddress(bytes);
      return ip.isLoopbackAddress() || ip.isAnyLocalAddress();
    } catch (UnknownHostException e) {
      throw new IllegalStateException("4 and 16 bytes are an address", e);
    }
  }

  private static Set<ByteBuffer> addresses(List<AdvertisedEndpoint> endpoints) {
    Set<ByteBuffer> addresses = new HashSet<>();
    for (AdvertisedEndpoint endpoint : endpoints) {
      ByteBuffer address = address(endpoint);
      if (address != null) {
        addresses.add(address);
      }
    }
    return addresses;
  }

  /** Whether the address of the endpoint leads each side to itself. */
  boolean has(AdvertisedEndpoint endpoint) {
    ByteBuffer address = shared.isEmpty() ? null : address(endpoint);
    return address != null && shared.contains(address);
  }

  /** The IP address of an endpoint, or null for an address of another kind. */
  private static @Nullable ByteBuffer address(AdvertisedEndpoint endpoint) {
    byte[] bytes = endpoint.address().bytes();
    int length = bytes.length - PORT_BYTES;
    boolean isIp = length == IPV4_BYTES || length == IPV6_BYTES;
    return isIp ? ByteBuffer.wrap(bytes, 0, length) : null;
  }
}
