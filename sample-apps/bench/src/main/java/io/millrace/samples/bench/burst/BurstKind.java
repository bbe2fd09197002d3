package io.millrace.samples.bench.burst;

import java.util.Locale;

/** The transports that can carry a burst. */
enum BurstKind {
  /** Millrace, encrypted. */
  MILLRACE,
  /**
   * The kernel's TCP, in the clear, with a connection for each peer and requests one behind
   * another.
   */
  TCP,
  /** The kernel's TCP with a connection for each transfer. */
  TCP_PER_TRANSFER,
  /** The grpc-java library with TLS, with a channel for each peer. */
  GRPC,
  /** Datagrams that are all sent at once, without retransmission. */
  UDP_NAIVE,
  /** Datagrams and AES-GCM without a protocol, for calls that fit a datagram. */
  FLOOR;

  /** The name of the transport on the command line and in reports. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether the transport takes part unless another choice is made. */
  boolean isUsual() {
    return this != FLOOR;
  }

  /** Whether the transport never repairs a loss. */
  boolean isLossy() {
    return this == UDP_NAIVE || this == FLOOR;
  }

  /** Opens a side of the burst in this process. */
  BurstNode open(BurstSite site) throws Exception {
    return switch (this) {
      case MILLRACE -> MillraceBurstNode.open(site);
      case TCP -> new TcpBurstNode(site, false);
      case TCP_PER_TRANSFER -> new TcpBurstNode(site, true);
      case GRPC -> GrpcBurstNode.open(site);
      case UDP_NAIVE -> new UdpBurstNode(site);
      case FLOOR -> new FloorBurstNode(site);
    };
  }
}
