package io.millrace.event;

/**
 * What one endpoint of a worker carried.
 *
 * @param nic the name of its NIC
 * @param driver the name of its driver
 * @param bytesSent bytes of datagrams handed to the network
 * @param bytesReceived bytes of datagrams that came
 * @param datagramsSent how many those were
 * @param datagramsReceived how many those were
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
  /** What came since. */
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
