package io.millrace.udp.linux;

import java.util.Arrays;
import java.util.List;

/**
 * The unconnected sockets of an endpoint, one socket for each source port: the bound socket, which
 * receives, and the sockets that only send. Owned by the endpoint; control plane, except {@link
 * #fd} and {@link #contains}.
 */
final class SourceSockets {
  private final SocketCalls calls;
  private final int[] fds;

  private SourceSockets(SocketCalls calls, int[] fds) {
    this.calls = calls;
    this.fds = fds;
  }

  /**
   * Opens up to {@code count} sockets in all; adds a notice to {@code notices} for refused sockets.
   */
  static SourceSockets open(SocketSetup setup, BoundSocket bound, int count, List<String> notices) {
    int[] fds = new int[Math.max(1, count)];
    fds[0] = bound.fd();
    for (int i = 1; i < fds.length; i++) {
      int fd = setup.openSender(bound.local());
      if (fd < 0) {
        notices.add("source ports: asked for " + count + ", got " + i + " (errno " + -fd + ")");
        return new SourceSockets(setup.calls(), Arrays.copyOf(fds, i));
      }
      fds[i] = fd;
    }
    return new SourceSockets(setup.calls(), fds);
  }

  /** Returns the number of sockets. */
  int count() {
    return fds.length;
  }

  /** Returns the socket of a source port. */
  int fd(int sourcePort) {
    return fds[sourcePort];
  }

  /** Whether the socket belongs to these unconnected sockets. */
  boolean contains(int fd) {
    for (int own : fds) {
      if (own == fd) {
        return true;
      }
    }
    return false;
  }

  /** Closes the sockets that only send. */
  void closeSenders() {
    for (int i = 1; i < fds.length; i++) {
      calls.close(fds[i]);
    }
  }
}
