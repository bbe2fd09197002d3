package io.millrace.event;

/**
 * The traffic of one endpoint of a worker.
 *
 * @param nic the name of the endpoint's NIC
 * @param driver the name of the endpoint's driver
 * @param bytesSent bytes of datagrams handed to the network
 * @param bytesReceived bytes of received datagrams
 * @param datagramsSent the number of datagrams handed to the network
 * @param datagramsReceived the number of received datagrams
 * @param drops datagrams that were lost in this host: refused on sending, or dropped by a full
 *     receive queue
 */
public record NicTraffic(
    String nic,
    String driver,
    long bytesSent,
    long bytesReceived,
    long datagramsSent,
    long datagramsReceived,
    long drops) {
  /** The traffic since an earlier state. */
  NicTraffic since(NicTraffic before) {
    return new NicTraffic(
        nic,
        driver,
        bytesSent - before.bytesSent,
        bytesReceived - before.bytesReceived,
        datagramsSent - before.datagramsSent,
        datagramsReceived - before.datagramsReceived,
        drops - before.drops);
  }
}
