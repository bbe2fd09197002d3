package io.millrace.config;

import io.millrace.node.SystemNics;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A network interface of a node; an entry of {@code millrace.nics}.
 *
 * @param name the NIC's name in events and figures; the system's name, where the name finds the
 *     interface
 * @param drivers {@code auto}, or names of drivers, the preferred first
 * @param address local address of the NIC's endpoints; port 0 lets the system choose
 * @param workers the number of workers with this NIC as their own
 * @param cores CPU ids, a CPU for each of the NIC's workers; empty when no worker is pinned
 * @param rates how fast the NIC sends and is sent to
 */
public record NicEntry(
    String name,
    List<String> drivers,
    InetSocketAddress address,
    int workers,
    List<Integer> cores,
    NicRates rates) {
  private static final Set<String> PLACE_KEYS =
      Set.of("name", "driver", "address", "workers", "cores");

  /** Marks of a list that no name of a driver has. */
  private static final Pattern LIST_MARKS = Pattern.compile("[,\\[\\]\"]");

  private static final int MOST_WORKERS = 64;
  private static final int MOST_NICS = 32;

  /** The NIC of a node with a single NIC, as the block {@code nic} says. */
  public static NicEntry only(
      List<String> drivers, InetSocketAddress address, int workers, NicRates rates) {
    return new NicEntry("nic", drivers, address, workers, List.of(), rates);
  }

  /** The rate of the NIC's link, bit/s; 0 if unknown. */
  public long bitsPerSecond() {
    return rates.link().bitsPerSecond();
  }

  /** Reads {@code millrace.nics}; empty if the block {@code nic} describes the only NIC. */
  static List<NicEntry> from(Section root, Section nic) {
    if (root.isText("nics")) {
      String text = root.string("nics");
      if (!text.equals("auto")) {
        throw new SettingsException(
            root.key("nics"), "must be a list, or auto, not '" + text + "'");
      }
      return found(nic);
    }
    Set<String> keys = new HashSet<>(PLACE_KEYS);
    keys.addAll(NicRates.KEYS);
    List<Section> listed = root.blocks("nics", keys);
    if (listed.size() > MOST_NICS) {
      throw new SettingsException(root.key("nics"), "has at most " + MOST_NICS + " entries");
    }
    List<NicEntry> entries = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Section entry : listed) {
      NicEntry read = one(entry, nic, entries.size());
      if (!names.add(read.name())) {
        throw new SettingsException(entry.key("name"), "is given twice: " + read.name());
      }
      entries.add(read);
    }
    if (!entries.isEmpty() && entries.stream().mapToInt(NicEntry::workers).sum() == 0) {
      throw new SettingsException(root.key("nics"), "leaves this node without a worker");
    }
    return entries;
  }

  /** How a property of the JVM spells a list; a property cannot change an entry of a list. */
  private static String propertyOf(String key) {
    return key.contains("[")
        ? ""
        : "; a property of the JVM holds no list: -D" + key + ".0=fabric:shm, and so on";
  }

  /** Whether a text that stands for one driver is a list of drivers. */
  public static boolean isList(String name) {
    return LIST_MARKS.matcher(name).find();
  }

  /** Reads the key {@code driver} of the block {@code nic}, or of an entry of {@code nics}. */
  static List<String> drivers(Section block) {
    List<String> names = block.stringOrStrings("driver");
    if (names.isEmpty()) {
      throw new SettingsException(block.key("driver"), "names no driver");
    }
    for (String name : names) {
      if (isList(name)) {
        throw new SettingsException(
            block.key("driver"),
            "takes a name, or a list such as [\"fabric:shm\", udp], not the text '"
                + name
                + "'"
                + propertyOf(block.key("driver")));
      }
    }
    return names;
  }

  private static NicEntry one(Section entry, Section nic, int index) {
    String name = entry.has("name") ? entry.string("name") : "nic" + index;
    int workers = entry.has("workers") ? entry.integer("workers", 0, MOST_WORKERS) : 1;
    List<Integer> cores = entry.has("cores") ? entry.integers("cores") : List.of();
    if (!cores.isEmpty() && cores.size() != workers) {
      throw new SettingsException(
          entry.key("cores"), "must name one core for each of its " + workers + " workers");
    }
    return new NicEntry(
        name,
        drivers(entry.has("driver") ? entry : nic),
        entry.has("address")
            ? Addresses.parse(entry.key("address"), entry.string("address"))
            : addressOf(entry.key("name"), name),
        workers,
        cores,
        NicRates.of(entry, nic));
  }

  private static InetSocketAddress addressOf(String key, String name) {
    try {
      NetworkInterface found = NetworkInterface.getByName(name);
      List<InetAddress> addresses = found == null ? List.of() : usable(found);
      if (!addresses.isEmpty()) {
        return new InetSocketAddress(addresses.getFirst(), 0);
      }
      throw new SettingsException(
          key,
          found == null
              ? "names no network interface of this system: '" + name + "'; give its address, too"
              : "names an interface without an address: '" + name + "'");
    } catch (SocketException e) {
      throw new SettingsException(key, "cannot be looked up: " + e.getMessage());
    }
  }

  /**
   * The NICs that are up and lead away from the loopback; empty if no NIC does. Devices come first,
   * bridges without a device last: such bridges lead to this host alone.
   */
  private static List<NicEntry> found(Section nic) {
    List<NicEntry> entries = new ArrayList<>();
    try {
      List<NetworkInterface> all =
          NetworkInterface.networkInterfaces()
              .sorted(Comparator.comparing(each -> SystemNics.kindOf(each.getName())))
              .toList();
      for (NetworkInterface each : all) {
        if (each.isUp() && !each.isLoopback() && !usable(each).isEmpty()) {
          entries.add(
              new NicEntry(
                  each.getName(),
                  drivers(nic),
                  new InetSocketAddress(usable(each).getFirst(), 0),
                  1,
                  List.of(),
                  NicRates.from(nic)));
        }
      }
    } catch (SocketException e) {
      throw new SettingsException("millrace.nics", "cannot be found: " + e.getMessage());
    }
    return entries.subList(0, Math.min(entries.size(), MOST_NICS));
  }

  /** Addresses that peers may use, IPv4 addresses first. */
  private static List<InetAddress> usable(NetworkInterface nic) {
    return nic.inetAddresses()
        .filter(address -> !address.isLinkLocalAddress())
        .sorted((one, other) -> one.getAddress().length - other.getAddress().length)
        .toList();
  }
}
