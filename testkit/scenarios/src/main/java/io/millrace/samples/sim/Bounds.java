package io.millrace.samples.sim;

import io.millrace.config.PeerHealthSettings;
import io.millrace.config.SilenceSettings;
import io.millrace.config.TransportSettings;

/** The longest times between nodes, from the settings of both; virtual ns. Immutable. */
final class Bounds {
  private static final long SECOND_NS = 1_000_000_000;

  /** Longer than any handler, source or target of the workload waits. */
  private static final long APPLICATION_NS = 2 * SECOND_NS;

  /**
   * The number of times that a region may be taken from the same sender before the sender has used
   * the region: the sender's patience doubles four times.
   */
  private static final int MOST_TAKES = 5;

  private final long aftermathNs;
  private final long restNs;

  private Bounds(long aftermathNs, long restNs) {
    this.aftermathNs = aftermathNs;
    this.restNs = restNs;
  }

  /** Returns the bounds between these two nodes: the more patient node may find out last. */
  static Bounds between(TransportSettings one, TransportSettings other) {
    return new Bounds(
        Math.max(patienceNs(one), patienceNs(other)) + SECOND_NS,
        Math.max(one.regions().quarantineNs(), other.regions().quarantineNs()));
  }

  /**
   * Silence before probing and the probing itself may last so long each. Then the node looks for
   * the peer, a quarter of a period late at most, and the peer must answer several probes in a row.
   */
  private static long patienceNs(TransportSettings settings) {
    PeerHealthSettings health = settings.recovery().health();
    SilenceSettings silence = settings.recovery().silence();
    long searchNs = health.search().mostPeriodNs() / 4 * 5 + settings.handshake().timeoutNs();
    long answersNs = 2L * health.answeredProbes() * silence.probePeriodNs();
    return 2 * silence.failAfterNs() + 2 * settings.handshake().timeoutNs() + searchNs + answersNs;
  }

  /** Returns the longer bounds of both. */
  Bounds orLonger(Bounds other) {
    return new Bounds(Math.max(aftermathNs, other.aftermathNs), Math.max(restNs, other.restNs));
  }

  /**
   * Returns the time after a fault in which calls may fail for the fault: until a peer is given up,
   * and found again, once by each side.
   */
  long aftermathNs() {
    return aftermathNs;
  }

  /** Returns the time after which, without any progress and without a fault, nothing will come. */
  long settlesNs() {
    return aftermathNs + APPLICATION_NS;
  }

  /**
   * Returns the time within which every node has reached every other node, after the end of all
   * faults.
   */
  long reunionNs() {
    return 2 * settlesNs();
  }

  /**
   * Returns the time within which every node has sent every other node a body of this number of
   * regions. A single region for all nodes goes from node to node, and rests each time.
   */
  long bodiesNs(int nodes, int regions) {
    return reunionNs() + (long) MOST_TAKES * nodes * regions * restNs;
  }
}
