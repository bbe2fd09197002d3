package io.millrace.samples.bench.aeron;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * The two UDP ports of a pair.
 *
 * @param requests the port where the server listens
 * @param responses the port where the client listens
 */
record AeronPorts(int requests, int responses) {
  /** Finds two ports that are free now. */
  static AeronPorts free() throws IOException {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (DatagramSocket first = new DatagramSocket(any);
        DatagramSocket second = new DatagramSocket(any)) {
      return new AeronPorts(first.getLocalPort(), second.getLocalPort());
    }
  }

  static AeronPorts parse(String text) {
    int slash = text.indexOf('/');
    return new AeronPorts(
        Integer.parseInt(text.substring(0, slash)), Integer.parseInt(text.substring(slash + 1)));
  }

  @Override
  public String toString() {
    return requests + "/" + responses;
  }
}
