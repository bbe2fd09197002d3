package io.millrace.testkit.internal.base;

import io.millrace.driver.EndpointAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The destination of datagrams in a simulated network. People see this address as an IP address:
 * interface {@code j} of node {@code n} is {@code 10.j.(n / 256).(n % 256)}. Drivers see this
 * address as an {@link EndpointAddress} of the family {@code sim}: 4 bytes node, 2 bytes interface,
 * 2 bytes port, in network order. The address of a bridge, which each node may have under the same
 * address, is 6 bytes: the IP address {@code 172.17.j.1} and the port.
 *
 * @param node 0 to 65,535
 * @param nic 0 to 255
 * @param port 0 to 65,535; 0 is any
 */
public record SimAddress(int node, int nic, int port) {
  /** The family of endpoint addresses. */
  public static final String FAMILY = "sim";

  /** Bits of a port within {@link #key}. */
  public static final int PORT_BITS = 16;

  /** Bits of a port and an interface within {@link #key}. */
  public static final int NIC_BITS = 24;

  private static final int HANDSHAKE_PORT = 7_000;
  private static final int BRIDGE_BYTES = 6;
  private static final byte[] BRIDGE = {(byte) 172, 17};
  private static final int NETWORK = 10;
  private static final int BYTE = 0xFF;
  private static final int SHORT = 0xFFFF;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a number is out of its range
   */
  public SimAddress {
    if (node < 0 || node > SHORT || nic < 0 || nic > BYTE || port < 0 || port > SHORT) {
      throw new IllegalArgumentException(
          "no such address: node " + node + ", interface " + nic + ", port " + port);
    }
  }

  /** The default address of a simulated node for handshakes. */
  public static SimAddress handshake(int node) {
    return new SimAddress(node, 0, HANDSHAKE_PORT);
  }

  /** Returns the address with this {@link #key}. */
  public static SimAddress of(long key) {
    return new SimAddress(
        (int) (key >>> NIC_BITS) & SHORT, (int) (key >>> PORT_BITS) & BYTE, (int) key & SHORT);
  }

  /**
   * Returns the destination of datagrams that this node sends to an address, or null where the
   * bytes are not an address. The address of a bridge leads to the sender's own node.
   */
  public static @Nullable SimAddress of(EndpointAddress address, int sender) {
    byte[] bytes = address.bytes();
    if (!FAMILY.equals(address.family()) || bytes.length != BRIDGE_BYTES) {
      return of(address);
    }
    return new SimAddress(
        sender, bytes[2] & BYTE, ByteBuffer.wrap(bytes).getShort(Integer.BYTES) & SHORT);
  }

  /** Returns the address with these numbers, or null where the bytes are not an address. */
  public static @Nullable SimAddress of(EndpointAddress address) {
    byte[] bytes = address.bytes();
    if (!FAMILY.equals(address.family()) || bytes.length != Long.BYTES) {
      return null;
    }
    ByteBuffer fields = ByteBuffer.wrap(bytes);
    int node = fields.getInt();
    int nic = fields.getShort();
    boolean valid = node >= 0 && node <= SHORT && nic >= 0 && nic <= BYTE;
    return valid ? new SimAddress(node, nic, fields.getShort() & SHORT) : null;
  }

  /**
   * Returns the address with this text for people, or null if the address is not of a simulated
   * network.
   */
  public static @Nullable SimAddress of(InetSocketAddress address) {
    byte[] ip = address.isUnresolved() ? new byte[0] : address.getAddress().getAddress();
    if (ip.length != Integer.BYTES || ip[0] != NETWORK) {
      return null;
    }
    int node = (ip[2] & BYTE) << Byte.SIZE | ip[3] & BYTE;
    return new SimAddress(node, ip[1] & BYTE, address.getPort());
  }

  /** Returns the address as a number: node, interface (8 bits), port (16 bits). */
  public long key() {
    return nicKey() << PORT_BITS | port;
  }

  /** The interface alone as a number. */
  public long nicKey() {
    return nicKey(node, nic);
  }

  /** The interface of these numbers as a number. */
  public static long nicKey(int node, int nic) {
    return (long) node << Byte.SIZE | nic;
  }

  /** This address with another port. */
  public SimAddress withPort(int otherPort) {
    return new SimAddress(node, nic, otherPort);
  }

  /** Returns the address in the form for drivers. */
  public EndpointAddress endpoint() {
    byte[] bytes =
        ByteBuffer.allocate(Long.BYTES)
            .putInt(node)
            .putShort((short) nic)
            .putShort((short) port)
            .array();
    return new EndpointAddress(FAMILY, bytes);
  }

  /** Returns the address as that of a bridge, in the form for drivers. */
  public EndpointAddress bridge() {
    byte[] bytes =
        ByteBuffer.allocate(BRIDGE_BYTES)
            .put(BRIDGE)
            .put((byte) nic)
            .put((byte) 1)
            .putShort((short) port)
            .array();
    return new EndpointAddress(FAMILY, bytes);
  }

  /** Returns the address in the form for people. */
  public InetSocketAddress inet() {
    try {
      byte[] ip = {NETWORK, (byte) nic, (byte) (node >> Byte.SIZE), (byte) node};
      return new InetSocketAddress(InetAddress.getByAddress(ip), port);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("four bytes are an address", e);
    }
  }

  @Override
  public String toString() {
    return NETWORK + "." + nic + "." + (node >> Byte.SIZE) + "." + (node & BYTE) + ":" + port;
  }
}
