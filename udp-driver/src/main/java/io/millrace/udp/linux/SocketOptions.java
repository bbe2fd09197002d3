package io.millrace.udp.linux;

/** The common levels, options and flags of datagram sockets of IPv4 and IPv6. */
final class SocketOptions {
  static final int SOCK_DGRAM = 2;
  static final int SOCK_NONBLOCK = 0x800;
  static final int SOCK_CLOEXEC = 0x80000;

  static final int SOL_SOCKET = 1;
  static final int SO_SNDBUF = 7;
  static final int SO_RCVBUF = 8;
  static final int SO_ATTACH_FILTER = 26;
  static final int SO_SNDBUFFORCE = 32;
  static final int SO_RCVBUFFORCE = 33;
  static final int SO_RXQ_OVFL = 40;

  static final int SOL_UDP = 17;
  static final int UDP_SEGMENT = 103;
  static final int UDP_GRO = 104;

  static final int SOL_IPV6 = 41;
  static final int IPV6_V6ONLY = 26;

  /** Never fragment, and allow probes: packets up to the interface's MTU go out. */
  static final int PMTUDISC_PROBE = 3;

  /** The ECN codepoint of transports that react to marks. */
  static final int ECT_0 = 2;

  private SocketOptions() {}
}
