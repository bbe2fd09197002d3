package io.millrace.samples.bench.faults;

/** The processes, links and load of a fault. */
enum FaultTopology {
  /** A single server, a single NIC, small calls. */
  ONE(1, 200, 100),
  /** Four servers, so that both NICs carry calls; small calls to each server in turn. */
  NICS(4, 200, 100),
  /** A single server, two drivers on one NIC, bulk. */
  FABRIC(1, 20, 256 << 10);

  private final int servers;
  private final int callsPerSecond;
  private final int bytes;

  FaultTopology(int servers, int callsPerSecond, int bytes) {
    this.servers = servers;
    this.callsPerSecond = callsPerSecond;
    this.bytes = bytes;
  }

  /** The number of server processes. */
  int servers() {
    return servers;
  }

  /** The number of calls begun in a second, whether earlier calls have ended or not. */
  int callsPerSecond() {
    return callsPerSecond;
  }

  /** Payload of a call. */
  int bytes() {
    return bytes;
  }
}
