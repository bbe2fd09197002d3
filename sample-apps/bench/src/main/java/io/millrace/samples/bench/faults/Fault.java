package io.millrace.samples.bench.faults;

import java.util.Arrays;
import java.util.Optional;

/** The faults, each a row of the report. */
enum Fault {
  /** The server's process is killed and does not come back. */
  KILL("kill", "the server is killed (-9)", FaultTopology.ONE, 7_000),
  /** The server's process is stopped, shorter than a pause of a garbage collector can be. */
  PAUSE_SHORT("pause-100ms", "the server is stopped for 100 ms", FaultTopology.ONE, 100),
  /** The server's process is stopped for long. */
  PAUSE_LONG("pause-5s", "the server is stopped for 5 s", FaultTopology.ONE, 5_000),
  /** The server's process is killed, and a new process started at once on the same address. */
  RESTART("restart", "the server is killed (-9) and started again", FaultTopology.ONE, 0),
  /** The server's packets do not arrive. */
  PARTITION("partition", "the server's packets are dropped for 11 s", FaultTopology.ONE, 11_000),
  /** Half of all packets are dropped. */
  LOSS("loss", "half of the packets are dropped for 5 s, both ways", FaultTopology.ONE, 5_000),
  /** The second of two NICs has no link. */
  NICS("nics", "one of two NICs has no link for 3 s", FaultTopology.NICS, 3_000),
  /** The preferred driver's packets are dropped, the second driver's packets are not. */
  FABRIC(
      "fabric", "fabric:tcp's packets are dropped for 3 s; udp's not", FaultTopology.FABRIC, 3_000);

  private final String label;
  private final String what;
  private final FaultTopology topology;
  private final int lastsMs;

  Fault(String label, String what, FaultTopology topology, int lastsMs) {
    this.label = label;
    this.what = what;
    this.topology = topology;
    this.lastsMs = lastsMs;
  }

  /** The name of the fault on the command line and in reports. */
  String label() {
    return label;
  }

  /** The description of the fault for people. */
  String what() {
    return what;
  }

  /** The processes and links under the fault. */
  FaultTopology topology() {
    return topology;
  }

  /**
   * How long the fault lasts, or the run goes on if the fault never heals; 0 if the run finds the
   * duration out.
   */
  int lastsMs() {
    return lastsMs;
  }

  /** Whether the fault ends while the client makes calls. */
  boolean heals() {
    return this != KILL;
  }

  /** Whether only the command nft can make the fault. */
  boolean needsNft() {
    return this == LOSS || this == FABRIC;
  }

  /** Whether the fault suits a transport. */
  boolean fits(FaultPeer peer) {
    return topology == FaultTopology.ONE || peer == FaultPeer.MILLRACE;
  }

  /** Finds a fault by its name. */
  static Optional<Fault> named(String label) {
    return Arrays.stream(values()).filter(each -> each.label.equals(label)).findFirst();
  }
}
