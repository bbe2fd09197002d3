package io.millrace.samples.cli;

import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One network interface.
 *
 * @param name as the system calls it
 * @param isUp it is up
 * @param mtuBytes largest packet
 * @param speedMbit link speed, or -1 where the system does not tell
 * @param addresses numeric, each with its prefix length
 */
record NicFacts(String name, boolean isUp, int mtuBytes, int speedMbit, List<String> addresses) {

  /** All interfaces of this machine in the order of their index. */
  static List<NicFacts> all() {
    try {
      return NetworkInterface.networkInterfaces()
          .sorted(Comparator.comparingInt(NetworkInterface::getIndex))
          .map(NicFacts::of)
          .toList();
    } catch (SocketException e) {
      return List.of();
    }
  }

  Map<String, Object> report() {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("name", name);
    report.put("up", isUp);
    report.put("mtu", mtuBytes);
    if (speedMbit >= 0) {
      report.put("speed_mbit", speedMbit);
    }
    report.put("addresses", addresses);
    return report;
  }

  private static NicFacts of(NetworkInterface nic) {
    List<String> addresses = new ArrayList<>();
    for (InterfaceAddress address : nic.getInterfaceAddresses()) {
      addresses.add(address.getAddress().getHostAddress() + "/" + address.getNetworkPrefixLength());
    }
    return new NicFacts(nic.getName(), isUp(nic), mtu(nic), speed(nic.getName()), addresses);
  }

  private static boolean isUp(NetworkInterface nic) {
    try {
      return nic.isUp();
    } catch (SocketException e) {
      return false;
    }
  }

  private static int mtu(NetworkInterface nic) {
    try {
      return nic.getMTU();
    } catch (SocketException e) {
      return -1;
    }
  }

  private static int speed(String name) {
    try {
      return Integer.parseInt(HostFacts.line(Path.of("/sys/class/net", name, "speed")));
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
