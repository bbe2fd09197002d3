package io.millrace.samples.bench.faults;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The environment of a process. Each process has a namespace of its own, so that addresses and
 * ports are known in advance.
 *
 * @param topology the processes and links of the run
 * @param isServer whether the process is a server
 * @param index the index of the server
 * @param own scratch space of this process
 * @param shared scratch space of all processes, with certificates
 * @param settings the settings of Millrace, HOCON
 */
record FaultSite(
    FaultTopology topology, boolean isServer, int index, Path own, Path shared, String settings) {
  /** The client's addresses, an address for each NIC. */
  static final List<String> CLIENT_HOSTS = List.of("10.78.1.1", "10.78.2.1");

  /** The servers' addresses, of each NIC. */
  static final List<String> SERVER_HOSTS = List.of("10.78.1.2", "10.78.2.2");

  /** The name of the certificate of all nodes. */
  static final String NODE = "faults";

  private static final int FIRST_PORT = 7_400;

  /** The addresses of this side. */
  List<String> hosts() {
    return isServer ? SERVER_HOSTS : CLIENT_HOSTS;
  }

  /** The ports of all servers. */
  List<Integer> ports() {
    return IntStream.range(0, topology.servers()).mapToObj(i -> FIRST_PORT + i).toList();
  }

  /** The port of this server. */
  int port() {
    return FIRST_PORT + index;
  }
}
