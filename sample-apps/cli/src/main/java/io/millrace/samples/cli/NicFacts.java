package io.millrace.samples.cli;

import io.millrace.node.SystemNics;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A network interface.
 *
 * @param name the system's name of the interface
 * @param isUp whether the interface is up, and its link carries
 * @param mtuBytes the largest packet, or -1 if the system does not tell
 * @param speedMbit the link speed, or -1 if the system does not tell
 * @param numaNode the attached memory node, or -1 if the system does not tell
 * @param addresses numeric, each with its prefix length
 */
record NicFacts(
    String name, boolean isUp, int mtuBytes, int speedMbit, int numaNode, List<String> addresses) {
  private static final long BITS_PER_MBIT = 1_000_000;

  /** Returns all interfaces of this machine by name, including interfaces that are down. */
  static List<NicFacts> all() {
    return SystemNics.list().stream().map(NicFacts::of).toList();
  }

  Map<String, Object> report() {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("name", name);
    report.put("up", isUp);
    if (mtuBytes >= 0) {
      report.put("mtu", mtuBytes);
    }
    if (speedMbit >= 0) {
      report.put("speed_mbit", speedMbit);
    }
    if (numaNode >= 0) {
      report.put("numa_node", numaNode);
    }
    report.put("addresses", addresses);
    return report;
  }

  private static NicFacts of(SystemNics.Nic nic) {
    int mtuBytes = -1;
    List<String> addresses = new ArrayList<>();
    try {
      NetworkInterface known = NetworkInterface.getByName(nic.name());
      if (known != null) {
        mtuBytes = known.getMTU();
        for (InterfaceAddress each : known.getInterfaceAddresses()) {
          addresses.add(each.getAddress().getHostAddress() + "/" + each.getNetworkPrefixLength());
        }
      }
    } catch (SocketException e) {
      addresses = nic.addresses().stream().map(InetAddress::getHostAddress).toList();
    }
    long speed = nic.speedBitsPerSecond();
    return new NicFacts(
        nic.name(),
        nic.isUp(),
        mtuBytes,
        speed == 0 ? -1 : (int) (speed / BITS_PER_MBIT),
        nic.numaNode(),
        addresses);
  }
}
