package io.millrace.config;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * The places of a node's NICs, and the peers that each driver reaches.
 *
 * @param drivers {@code auto} for the best that works here, or names of drivers, the preferred
 *     first
 * @param address local address of the workers' endpoints; port 0 lets the system choose
 * @param nics the entries of {@code millrace.nics}; empty for a single NIC, described by the driver
 *     and the address above
 * @param pins the entries of {@code millrace.peers}
 * @param isSearchVain {@code millrace.nics = auto} has found no interface
 */
public record NicPlaces(
    List<String> drivers,
    InetSocketAddress address,
    List<NicEntry> nics,
    List<PeerPin> pins,
    boolean isSearchVain) {
  /** Copies the lists. */
  public NicPlaces {
    drivers = List.copyOf(drivers);
    nics = List.copyOf(nics);
    pins = List.copyOf(pins);
  }

  /** NICs that were named, not found. */
  public NicPlaces(
      List<String> drivers, InetSocketAddress address, List<NicEntry> nics, List<PeerPin> pins) {
    this(drivers, address, nics, pins, false);
  }

  static NicPlaces from(Section nic, Section root) {
    return of(nic, root, NicEntry.from(root, nic));
  }

  /** Places with these entries, named or found. */
  static NicPlaces of(Section nic, Section root, List<NicEntry> nics) {
    return new NicPlaces(
        NicEntry.drivers(nic),
        Addresses.parse(nic.key("address"), nic.string("address")),
        nics,
        PeerPin.from(root),
        root.isText("nics") && nics.isEmpty());
  }

  NicPlaces withDriver(String name) {
    return new NicPlaces(List.of(name), address, nics, pins, isSearchVain);
  }

  NicPlaces withAddress(String text) {
    return new NicPlaces(
        drivers,
        Addresses.parse(TransportSettings.key("nic", "address"), text),
        nics,
        pins,
        isSearchVain);
  }
}
