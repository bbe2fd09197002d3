package io.millrace.config;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * The network interface of the workers.
 *
 * @param places where the NICs are
 * @param receiveBufferBytes socket receive buffer
 * @param sendBufferBytes socket send buffer
 * @param maxDatagramBytes no larger datagram is sent or received
 * @param sendBuffers trains that may be posted and incomplete
 * @param maxTrainPackets packets in a train; 1 switches segmentation offload off
 * @param ecn whether to set and read congestion marks
 * @param connectedSockets peers that may have a connected send socket at once
 * @param rates the send rate of the workers, and the link that leads to this node
 * @param notReady the treatment of peers without a free receive buffer
 * @param failover when a path leaves a NIC
 */
@SuppressWarnings("RecordComponentNumber") // a block of the configuration
public record NicSettings(
    NicPlaces places,
    int receiveBufferBytes,
    int sendBufferBytes,
    int maxDatagramBytes,
    int sendBuffers,
    int maxTrainPackets,
    boolean ecn,
    int connectedSockets,
    NicRates rates,
    UnreadyPeers notReady,
    FailoverSettings failover) {
  /** The datagram that every path is believed to carry, bytes. */
  public static final int BASE_DATAGRAM_BYTES = 1_200;

  private static final int LARGEST_DATAGRAM_BYTES = 65_507;

  /**
   * The treatment of peers without a free receive buffer, by drivers of fabrics.
   *
   * @param deviceRetries repeats by the device before the device reports anything; 7 for ever
   * @param firstWaitNs the shortest first wait before a further repeat
   * @param longestWaitNs the limit of the waits, which double
   */
  public record UnreadyPeers(int deviceRetries, long firstWaitNs, long longestWaitNs) {
    private static final int RETRIES_FOR_EVER = 7;
    private static final long MOST_WAIT_NS = 1_000_000_000L;

    private static UnreadyPeers from(Section section) {
      UnreadyPeers peers =
          new UnreadyPeers(
              section.integer("device-retries", 0, RETRIES_FOR_EVER),
              section.nanos("first-wait", 1_000L, MOST_WAIT_NS),
              section.nanos("longest-wait", 1_000L, MOST_WAIT_NS));
      if (peers.longestWaitNs < peers.firstWaitNs) {
        throw new SettingsException(
            section.key("longest-wait"), "must be at least as long as first-wait");
      }
      return peers;
    }
  }

  /** The send rate of the workers. */
  public SendRateSettings sendRate() {
    return rates.send();
  }

  /** The link that leads to this node. */
  public LinkSettings link() {
    return rates.link();
  }

  /** {@code auto} for the best driver that works here, or names of drivers, the preferred first. */
  public List<String> drivers() {
    return places.drivers();
  }

  /** Local address of the workers' endpoints, for a node with a single NIC. */
  public InetSocketAddress address() {
    return places.address();
  }

  static NicSettings from(Section section, Section root) {
    return new NicSettings(
        NicPlaces.from(section, root),
        section.bytes("receive-buffer", 1 << 12, 1 << 30),
        section.bytes("send-buffer", 1 << 12, 1 << 30),
        section.bytes("max-datagram", BASE_DATAGRAM_BYTES, LARGEST_DATAGRAM_BYTES),
        section.integer("send-buffers", 2, 1 << 12),
        section.integer("max-train-packets", 1, 128),
        section.flag("ecn"),
        section.integer("connected-sockets", 0, 1 << 16),
        NicRates.from(section),
        UnreadyPeers.from(section.child("not-ready")),
        FailoverSettings.from(section.child("failover")));
  }

  NicSettings withDriver(String name) {
    return withPlaces(places.withDriver(name));
  }

  NicSettings withAddress(String text) {
    return withPlaces(places.withAddress(text));
  }

  /** Returns the settings with other places. */
  public NicSettings withPlaces(NicPlaces otherPlaces) {
    return new NicSettings(
        otherPlaces,
        receiveBufferBytes,
        sendBufferBytes,
        maxDatagramBytes,
        sendBuffers,
        maxTrainPackets,
        ecn,
        connectedSockets,
        rates,
        notReady,
        failover);
  }
}
