package io.millrace.samples.bench.burst;

import java.util.Locale;

/** What carries a burst. */
enum BurstKind {
  /** Millrace, encrypted. */
  MILLRACE,
  /** The kernel's TCP, in the clear, one connection for each peer, requests one behind another. */
  TCP,
  /** The same with a connection for each transfer. */
  TCP_PER_TRANSFER,
  /** The grpc-java library with TLS, one channel for each peer. */
  GRPC,
  /** Datagrams that are all sent at once and never again. */
  UDP_NAIVE;

  /** What it is called on the command line and in reports. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether what was lost never comes. */
  boolean isLossy() {
    return this == UDP_NAIVE;
  }

  /** Opens one side in this process. */
  BurstNode open(BurstSite site) throws Exception {
    return switch (this) {
      case MILLRACE -> MillraceBurstNode.open(site);
      case TCP -> new TcpBurstNode(site, false);
      case TCP_PER_TRANSFER -> new TcpBurstNode(site, true);
      case GRPC -> GrpcBurstNode.open(site);
      case UDP_NAIVE -> new UdpBurstNode(site);
    };
  }
}
