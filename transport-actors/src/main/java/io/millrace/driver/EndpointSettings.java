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
 * @param injectBytes the largest datagram that a driver may hand over without a report of its
 *     failure; 0 for none
 */
@SuppressWarnings("RecordComponentNumber") // each driver takes its own of these
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
    NotReadySettings notReady,
    int injectBytes) {
  /** Settings with the default treatment of receivers, and with a report of every datagram. */
  @SuppressWarnings("ParameterNumber") // the settings that every driver takes
  public EndpointSettings(
      InetSocketAddress bindAddress,
      int receiveBufferBytes,
      int sendBufferBytes,
      int maxDatagramBytes,
      int sendBuffers,
      int maxTrainPackets,
      boolean ecn,
      int connectedSockets,
      int sourcePorts) {
    this(
        bindAddress,
        receiveBufferBytes,
        sendBufferBytes,
        maxDatagramBytes,
        sendBuffers,
        maxTrainPackets,
        ecn,
        connectedSockets,
        sourcePorts,
        NotReadySettings.DEFAULTS,
        0);
  }

  /** Settings that suit tests and tools: 4 MiB socket buffers, datagrams up to 8,972 bytes. */
  public static EndpointSettings defaults(InetSocketAddress bindAddress) {
    return new EndpointSettings(bindAddress, 4 << 20, 4 << 20, 8_972, 16, 64, true, 32, 1);
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
        notReady,
        injectBytes);
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
        notReady,
        injectBytes);
  }

  /** Returns these settings with datagrams of at most this size handed over without a report. */
  public EndpointSettings withInject(int bytes) {
    return new EndpointSettings(
        bindAddress,
        receiveBufferBytes,
        sendBufferBytes,
        maxDatagramBytes,
        sendBuffers,
        maxTrainPackets,
        ecn,
        connectedSockets,
        sourcePorts,
        notReady,
        bytes);
  }
}
