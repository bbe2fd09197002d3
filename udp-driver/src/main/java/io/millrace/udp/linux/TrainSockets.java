package io.millrace.udp.linux;

import io.millrace.udp.internal.Train;

/**
 * Decides which socket a train leaves through: that of its source port, or, for the endpoint's own
 * port, one that its destination may have. Owned by the endpoint; does not allocate.
 */
final class TrainSockets {
  private final SourceSockets sources;
  private final ConnectedSockets connected;

  TrainSockets(SourceSockets sources, ConnectedSockets connected) {
    this.sources = sources;
    this.connected = connected;
  }

  /**
   * The socket of a train.
   *
   * @param isAlone no train to another destination could share a call with it
   */
  int socketFor(Train train, boolean isAlone) {
    int sourcePort = train.sourcePort();
    return sourcePort == 0
        ? connected.socketFor(train.destination(), isAlone)
        : sources.fd(sourcePort);
  }

  /** Whether the socket knows its peer, so that messages need no address. */
  boolean isConnected(int fd) {
    return !sources.contains(fd);
  }

  /** The version of all of them. */
  IpVersion version() {
    return connected.bound().version();
  }
}
