package io.millrace.node;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * The network interfaces of this machine, as Linux lists the interfaces under {@code
 * /sys/class/net}; where this directory is missing, as the JDK lists the interfaces. Unknown values
 * are marked as unknown, and nothing throws. Control plane: reads files.
 */
public final class SystemNics {
  /** {@link Nic#numaNode} is not known. */
  public static final int UNKNOWN_NODE = -1;

  /** Links under links, for example a VLAN of a bond of two NICs: deeper ones are not looked at. */
  private static final int MOST_LAYERS = 4;

  private static final int IFF_UP = 0x1;
  private static final int IFF_LOOPBACK = 0x8;
  private static final long BITS_PER_MBIT = 1_000_000;

  private final Path root;
  private final Function<String, List<InetAddress>> addresses;

  /** The use of an interface, the best first. */
  public enum Kind {
    /** A device, or a link over a device: a bond, a VLAN, a bridge with a device as a port. */
    DEVICE,
    /** A link without a device: one half of a pair as containers have, a tunnel, a dummy. */
    VIRTUAL,
    /** A bridge without a device: the bridge leads to other processes of this host alone. */
    INNER
  }

  /**
   * A single interface.
   *
   * @param name the system's name of the interface, for example {@code eth0}
   * @param isUp the interface is switched on and the link carries
   * @param isLoopback the interface leads back to this machine
   * @param speedBitsPerSecond speed of the interface's link; 0 when not known, as of virtual
   *     interfaces
   * @param numaNode the memory node that the interface is attached to, or {@link #UNKNOWN_NODE}
   * @param addresses the interface's addresses, in the system's order; empty for an interface
   *     without an address
   */
  public record Nic(
      String name,
      boolean isUp,
      boolean isLoopback,
      long speedBitsPerSecond,
      int numaNode,
      List<InetAddress> addresses) {
    /** Copies the list. */
    public Nic {
      addresses = List.copyOf(addresses);
    }
  }

  /**
   * For tests; everybody else uses {@link #list()}.
   *
   * @param root the root of the machine's files, or an imitation of the root
   * @param addresses of the interface with this name
   */
  SystemNics(Path root, Function<String, List<InetAddress>> addresses) {
    this.root = root;
    this.addresses = addresses;
  }

  /** The interfaces, by name, including interfaces that are down or have no address. */
  public static List<Nic> list() {
    return new SystemNics(Path.of("/"), SystemNics::addressesOf).all();
  }

  /**
   * The use of the interface with this name; {@link Kind#DEVICE} where the system does not tell.
   */
  public static Kind kindOf(String name) {
    return new SystemNics(Path.of("/"), SystemNics::addressesOf).kind(name);
  }

  Kind kind(String name) {
    Path directory = root.resolve("sys/class/net").resolve(name);
    if (!Files.isDirectory(directory) || hasDevice(directory, MOST_LAYERS)) {
      return Kind.DEVICE;
    }
    return Files.isDirectory(directory.resolve("bridge")) ? Kind.INNER : Kind.VIRTUAL;
  }

  private static boolean hasDevice(Path directory, int layers) {
    if (Files.exists(directory.resolve("device"))) {
      return true;
    }
    if (layers == 0) {
      return false;
    }
    try (DirectoryStream<Path> below = Files.newDirectoryStream(directory, "lower_*")) {
      for (Path link : below) {
        if (hasDevice(link, layers - 1)) {
          return true;
        }
      }
    } catch (IOException e) {
      // The interface has gone.
    }
    return false;
  }

  List<Nic> all() {
    List<Nic> found = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(root.resolve("sys/class/net"))) {
      for (Path entry : entries) {
        // A file there, bonding_masters for example, is no interface.
        if (Files.isDirectory(entry)) {
          found.add(nic(entry));
        }
      }
    } catch (IOException e) {
      return ofTheJdk();
    }
    found.sort(Comparator.comparing(Nic::name));
    return List.copyOf(found);
  }

  private Nic nic(Path directory) {
    String name = directory.getFileName().toString();
    int flags = flags(read(directory, "flags"));
    long mbits = number(read(directory, "speed"));
    long node = number(read(directory, "device/numa_node"));
    return new Nic(
        name,
        (flags & IFF_UP) != 0 && read(directory, "carrier").equals("1"),
        (flags & IFF_LOOPBACK) != 0,
        Math.max(0, mbits) * BITS_PER_MBIT,
        node < 0 ? UNKNOWN_NODE : (int) node,
        addresses.apply(name));
  }

  private static int flags(String text) {
    return text.matches("0x[0-9a-fA-F]{1,7}") ? Integer.parseInt(text.substring(2), 16) : 0;
  }

  /**
   * The number, or -1 if the text is no number; drivers write -1 themselves for an unknown value.
   */
  private static long number(String text) {
    return text.matches("\\d{1,9}") ? Long.parseLong(text) : -1;
  }

  /**
   * The file's text; empty when the file is missing or cannot be read, as the speed of a link that
   * is down.
   */
  private static String read(Path directory, String file) {
    try {
      return Files.readString(directory.resolve(file)).strip();
    } catch (IOException e) {
      return "";
    }
  }

  private static List<Nic> ofTheJdk() {
    List<Nic> found = new ArrayList<>();
    try {
      for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
        found.add(
            new Nic(
                each.getName(),
                each.isUp(),
                each.isLoopback(),
                0,
                UNKNOWN_NODE,
                each.inetAddresses().toList()));
      }
    } catch (SocketException e) {
      return List.of();
    }
    found.sort(Comparator.comparing(Nic::name));
    return List.copyOf(found);
  }

  private static List<InetAddress> addressesOf(String name) {
    try {
      NetworkInterface found = NetworkInterface.getByName(name);
      return found == null ? List.of() : found.inetAddresses().toList();
    } catch (SocketException e) {
      return List.of();
    }
  }
}
