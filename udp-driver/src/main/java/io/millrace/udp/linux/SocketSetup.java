package io.millrace.udp.linux;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointSettings;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * Opens sockets and sets their options. A refused option becomes a notice, if the socket can work
 * without the option. Owned by an endpoint; control plane, except {@link #openSender}.
 */
final class SocketSetup {
  // The buffer of a connected socket, which only sends: datagrams of strangers must not take
  // memory.
  private static final int UNUSED_BUFFER_BYTES = 2_048;

  private final SocketCalls calls;
  private final EndpointSettings settings;
  private final IpVersion version;

  SocketSetup(SocketCalls calls, EndpointSettings settings) throws DriverException {
    this.calls = calls;
    this.settings = settings;
    InetSocketAddress address = settings.bindAddress();
    if (address.isUnresolved()) {
      throw new DriverException("host name " + address.getHostString() + " does not resolve");
    }
    version = IpVersion.of(address.getAddress());
  }

  SocketCalls calls() {
    return calls;
  }

  /** Returns the settings of the endpoint. */
  EndpointSettings settings() {
    return settings;
  }

  /**
   * Opens the bound socket of an endpoint.
   *
   * @throws DriverException if no socket is available or the address cannot be bound
   */
  BoundSocket openBound(List<String> notices) throws DriverException {
    int fd = calls.open(version);
    if (fd < 0) {
      throw new DriverException("cannot open a socket: errno " + -fd);
    }
    try {
      return configure(fd, notices);
    } catch (DriverException | RuntimeException e) {
      calls.close(fd);
      throw e;
    }
  }

  private BoundSocket configure(int fd, List<String> notices) throws DriverException {
    if (version == IpVersion.IPV6) {
      calls.setInt(fd, SocketOptions.SOL_IPV6, SocketOptions.IPV6_V6ONLY, 1);
    }
    setBuffer(fd, true, notices);
    setBuffer(fd, false, notices);
    boolean marks = settings.ecn() && setMarks(fd, notices);
    boolean errors = setSenderOptions(fd, notices);
    boolean cuts = settings.maxTrainPackets() > 1 && canCutTrains(fd, notices);
    boolean joins = setReceiverOptions(fd, notices);
    bind(fd);
    return new BoundSocket(
        fd, version, calls.localAddress(fd, version), cuts, joins, marks, errors);
  }

  private void setBuffer(int fd, boolean isReceive, List<String> notices) {
    int asked = isReceive ? settings.receiveBufferBytes() : settings.sendBufferBytes();
    if (asked <= 0) {
      return;
    }
    int option = isReceive ? SocketOptions.SO_RCVBUF : SocketOptions.SO_SNDBUF;
    int forced = isReceive ? SocketOptions.SO_RCVBUFFORCE : SocketOptions.SO_SNDBUFFORCE;
    if (calls.setInt(fd, SocketOptions.SOL_SOCKET, forced, asked) < 0) {
      calls.setInt(fd, SocketOptions.SOL_SOCKET, option, asked);
    }
    // The kernel doubles the requested size, to account for its own bookkeeping.
    int got = calls.getInt(fd, SocketOptions.SOL_SOCKET, option) / 2;
    if (got < asked) {
      String name = isReceive ? "SO_RCVBUF" : "SO_SNDBUF";
      notices.add(name + ": asked for " + asked + " bytes, got " + got);
    }
  }

  private boolean setMarks(int fd, List<String> notices) {
    int result = calls.setInt(fd, version.level, version.trafficClass, SocketOptions.ECT_0);
    if (result >= 0) {
      result = calls.setInt(fd, version.level, version.receiveTrafficClass, 1);
    }
    return isGranted(result, "ECN: congestion marks", notices);
  }

  private boolean setSenderOptions(int fd, List<String> notices) {
    int discovery =
        calls.setInt(fd, version.level, version.mtuDiscover, SocketOptions.PMTUDISC_PROBE);
    isGranted(discovery, "MTU discovery: sending without fragmentation", notices);
    int errors = calls.setInt(fd, version.level, version.receiveErrors, 1);
    return isGranted(errors, "error queue: reports of unreachable peers", notices);
  }

  private boolean canCutTrains(int fd, List<String> notices) {
    int result = calls.getInt(fd, SocketOptions.SOL_UDP, SocketOptions.UDP_SEGMENT);
    return isGranted(result, "GSO: cutting of trains", notices);
  }

  private boolean setReceiverOptions(int fd, List<String> notices) {
    calls.setInt(fd, SocketOptions.SOL_SOCKET, SocketOptions.SO_RXQ_OVFL, 1);
    double lossPercent = ReceiveLossFilter.configuredPercent();
    if (lossPercent > 0) {
      int result = ReceiveLossFilter.attach(calls.libc(), fd, lossPercent);
      if (isGranted(result, "receive loss", notices)) {
        notices.add("receive loss: " + lossPercent + " % of datagrams are dropped, as asked");
      }
      return false;
    }
    int result = calls.setInt(fd, SocketOptions.SOL_UDP, SocketOptions.UDP_GRO, 1);
    return isGranted(result, "GRO: joining of trains", notices);
  }

  private static boolean isGranted(int result, String what, List<String> notices) {
    if (result < 0) {
      notices.add(what + " not available here (errno " + -result + ")");
    }
    return result >= 0;
  }

  private void bind(int fd) throws DriverException {
    InetSocketAddress address = settings.bindAddress();
    int result = calls.bind(fd, address);
    if (result >= 0) {
      return;
    }
    String host = address.getAddress().getHostAddress();
    throw new DriverException(
        switch (-result) {
          case Errno.EADDRINUSE -> "port " + address.getPort() + " on " + host + " is in use";
          case Errno.EADDRNOTAVAIL -> host + " is not an address of this host";
          case Errno.EACCES -> "no permission to bind port " + address.getPort() + " on " + host;
          default -> "cannot bind port " + address.getPort() + " on " + host + ": errno " + -result;
        });
  }

  /**
   * Opens a socket that only sends, on a port of its own at the same local address; returns an
   * error number negated on failure. Allocates little memory, because sockets are few.
   */
  int openSender(InetSocketAddress local) {
    int fd = calls.open(version);
    if (fd < 0) {
      return fd;
    }
    List<String> ignored = new ArrayList<>();
    setBuffer(fd, false, ignored);
    calls.setInt(fd, SocketOptions.SOL_SOCKET, SocketOptions.SO_RCVBUF, UNUSED_BUFFER_BYTES);
    if (settings.ecn()) {
      setMarks(fd, ignored);
    }
    setSenderOptions(fd, ignored);
    int result =
        local.getAddress().isAnyLocalAddress()
            ? 0
            : calls.bind(fd, new InetSocketAddress(local.getAddress(), 0));
    if (result < 0) {
      calls.close(fd);
      return result;
    }
    return fd;
  }

  /** Returns the kernel's MTU of the route to {@code remote}; 0 if unknown. */
  int routeMtu(InetSocketAddress remote) {
    int fd = calls.open(version);
    if (fd < 0) {
      return 0;
    }
    try {
      InetSocketAddress local = new InetSocketAddress(settings.bindAddress().getAddress(), 0);
      if (calls.bind(fd, local) < 0 || calls.connect(fd, remote) < 0) {
        return 0;
      }
      return Math.max(0, calls.getInt(fd, version.level, version.mtu));
    } finally {
      calls.close(fd);
    }
  }
}
