package io.millrace.udp.linux;

import io.millrace.udp.internal.Train;

/**
 * Chooses the socket of a train: the socket of its source port or, for the endpoint's own port, the
 * connected socket of its destination, if any. Owned by the endpoint; does not allocate.
 */
final class TrainSockets {
  private final SourceSockets sources;
  private final ConnectedSockets connected;

  TrainSockets(SourceSockets sources, ConnectedSockets connected) {
    this.sources = sources;
    this.connected = connected;
  }

  /**
   * Returns the socket of a train.
   *
   * @param isAlone whether no train to another destination could share a call with this train
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

  /** Returns the common IP version of all sockets. */
  IpVersion version() {
    return connected.bound().version();
  }
}
