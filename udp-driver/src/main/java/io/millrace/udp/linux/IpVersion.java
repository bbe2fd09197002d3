package io.millrace.udp.linux;

import java.net.Inet4Address;
import java.net.InetAddress;

/** The different option numbers of IPv4 and IPv6. */
enum IpVersion {
  IPV4(2, 0, 1, 13, 11, 10, 14),
  IPV6(10, 41, 67, 66, 25, 23, 24);

  /** Address family of sockets. */
  final int domain;

  /** Level of the options below. */
  final int level;

  /** IP_TOS and IPV6_TCLASS: the byte with the ECN bits, as option and as control message. */
  final int trafficClass;

  /** IP_RECVTOS and IPV6_RECVTCLASS. */
  final int receiveTrafficClass;

  /** IP_RECVERR and IPV6_RECVERR, as option and as control message. */
  final int receiveErrors;

  /** IP_MTU_DISCOVER and IPV6_MTU_DISCOVER. */
  final int mtuDiscover;

  /** IP_MTU and IPV6_MTU. */
  final int mtu;

  IpVersion(
      int domain,
      int level,
      int trafficClass,
      int receiveTrafficClass,
      int receiveErrors,
      int mtuDiscover,
      int mtu) {
    this.domain = domain;
    this.level = level;
    this.trafficClass = trafficClass;
    this.receiveTrafficClass = receiveTrafficClass;
    this.receiveErrors = receiveErrors;
    this.mtuDiscover = mtuDiscover;
    this.mtu = mtu;
  }

  /** Returns the bytes of a socket address. */
  int sockaddrBytes() {
    return this == IPV4 ? 16 : 28;
  }

  static IpVersion of(InetAddress address) {
    return address instanceof Inet4Address ? IPV4 : IPV6;
  }
}
