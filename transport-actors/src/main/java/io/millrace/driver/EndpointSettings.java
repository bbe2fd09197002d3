package io.millrace.driver;

import java.net.InetSocketAddress;

/**
 * The settings for opening an endpoint. A driver ignores a setting that the driver cannot honour,
 * and reports the setting through {@link DriverNotices}; only an address that cannot be bound is an
 * error.
 *
 * @param bindAddress local address; port 0 lets the system choose
 * @param receiveBufferBytes socket receive buffer wanted
 * @param sendBufferBytes socket send buffer wanted
 * @param maxDatagramBytes the size limit of sent datagrams, and of datagrams received whole
 * @param sendBuffers the number of send buffers ({@link Endpoint#acquireSendBuffer()}); bounds the
 *     trains posted and not yet complete
 * @param maxTrainPackets packets a train may hold; 1 switches segmentation offload off
 * @param ecn mark outgoing packets ECT(0) and read marks of incoming packets
 * @param connectedSockets destinations that may have a connected send socket of their own, at most
 * @param sourcePorts ports to send from; a driver with only a single port ignores the setting
 * @param notReady the treatment of receivers without a free buffer; for drivers of fabrics
 */
public record EndpointSettings(
    InetSocketAddress bindAddress,
    int receiveBufferBytes,
    int sendBufferBytes,
    int maxDatagramBytes,
    int sendBuffers,
    int maxTrainPackets,
    boolean ecn,
    int connectedSockets,
    int sourcePorts,
    NotReadySettings notReady) {
  /** Settings that suit tests and tools: 4 MiB socket buffers, datagrams up to 8,972 bytes. */
  public static EndpointSettings defaults(InetSocketAddress bindAddress) {
    return new EndpointSettings(
        bindAddress, 4 << 20, 4 << 20, 8_972, 16, 64, true, 32, 1, NotReadySettings.DEFAULTS);
  }

  /** The same at another port of the same address. */
  public EndpointSettings withPort(int port) {
    return new EndpointSettings(
        new InetSocketAddress(bindAddress.getAddress(), port),
        receiveBufferBytes,
        sendBufferBytes,
        maxDatagramBytes,
        sendBuffers,
        maxTrainPackets,
        ecn,
        connectedSockets,
        sourcePorts,
        notReady);
  }

  /** Returns these settings with other source ports. */
  public EndpointSettings withSourcePorts(int ports) {
    return new EndpointSettings(
        bindAddress,
        receiveBufferBytes,
        sendBufferBytes,
        maxDatagramBytes,
        sendBuffers,
        maxTrainPackets,
        ecn,
        connectedSockets,
        ports,
        notReady);
  }
}
