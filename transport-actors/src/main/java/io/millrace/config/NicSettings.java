package io.millrace.config;

import java.net.InetSocketAddress;

/**
 * The network interface of the workers.
 *
 * @param driver {@code auto} for the best that works here, or a driver's name
 * @param address local address of the workers' endpoints; port 0 lets the system choose
 * @param receiveBufferBytes socket receive buffer
 * @param sendBufferBytes socket send buffer
 * @param maxDatagramBytes no larger datagram is sent or received
 * @param sendBuffers trains that may be posted and not complete
 * @param maxTrainPackets packets in a train; 1 switches segmentation offload off
 * @param ecn whether to set and read congestion marks
 * @param connectedSockets peers that may have a connected send socket at once
 * @param rates how fast the workers send, and what leads to this node
 */
public record NicSettings(
    String driver,
    InetSocketAddress address,
    int receiveBufferBytes,
    int sendBufferBytes,
    int maxDatagramBytes,
    int sendBuffers,
    int maxTrainPackets,
    boolean ecn,
    int connectedSockets,
    NicRates rates) {
  /** The datagram that every path is believed to carry, bytes. */
  public static final int BASE_DATAGRAM_BYTES = 1_200;

  private static final String ADDRESS = "address";
  private static final int LARGEST_DATAGRAM_BYTES = 65_507;

  /** How fast the workers send. */
  public SendRateSettings sendRate() {
    return rates.send();
  }

  /** What leads to this node. */
  public LinkSettings link() {
    return rates.link();
  }

  static NicSettings from(Section section) {
    return new NicSettings(
        section.string("driver"),
        Addresses.parse(section.key(ADDRESS), section.string(ADDRESS)),
        section.bytes("receive-buffer", 1 << 12, 1 << 30),
        section.bytes("send-buffer", 1 << 12, 1 << 30),
        section.bytes("max-datagram", BASE_DATAGRAM_BYTES, LARGEST_DATAGRAM_BYTES),
        section.integer("send-buffers", 2, 1 << 12),
        section.integer("max-train-packets", 1, 128),
        section.flag("ecn"),
        section.integer("connected-sockets", 0, 1 << 16),
        NicRates.from(section));
  }

  NicSettings withDriver(String name) {
    return with(name, address);
  }

  NicSettings withAddress(String text) {
    return with(driver, Addresses.parse(TransportSettings.key("nic", ADDRESS), text));
  }

  private NicSettings with(String otherDriver, InetSocketAddress otherAddress) {
    return new NicSettings(
        otherDriver,
        otherAddress,
        receiveBufferBytes,
        sendBufferBytes,
        maxDatagramBytes,
        sendBuffers,
        maxTrainPackets,
        ecn,
        connectedSockets,
        rates);
  }
}
