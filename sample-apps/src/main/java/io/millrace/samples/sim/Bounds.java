package io.millrace.samples.sim;

import io.millrace.config.PeerHealthSettings;
import io.millrace.config.SilenceSettings;
import io.millrace.config.TransportSettings;

/** How long things may take between nodes, from the settings of theirs; virtual ns. Immutable. */
final class Bounds {
  private static final long SECOND_NS = 1_000_000_000;

  /** Longer than any handler, source or target of the workload waits. */
  private static final long APPLICATION_NS = 2 * SECOND_NS;

  /**
   * How often a region may be taken from the same sender before that has used it: its patience
   * doubles four times.
   */
  private static final int MOST_TAKES = 5;

  private final long aftermathNs;
  private final long restNs;

  private Bounds(long aftermathNs, long restNs) {
    this.aftermathNs = aftermathNs;
    this.restNs = restNs;
  }

  /** Between these two nodes: the more patient one may find out last. */
  static Bounds between(TransportSettings one, TransportSettings other) {
    return new Bounds(
        Math.max(patienceNs(one), patienceNs(other)) + SECOND_NS,
        Math.max(one.regions().quarantineNs(), other.regions().quarantineNs()));
  }

  /**
   * Silence before probing and the probing itself may last that long each; then the peer is looked
   * for, a quarter of a period late at most, and must answer some probes in a row.
   */
  private static long patienceNs(TransportSettings settings) {
    PeerHealthSettings health = settings.recovery().health();
    SilenceSettings silence = settings.recovery().silence();
    long searchNs = health.search().mostPeriodNs() / 4 * 5 + settings.handshake().timeoutNs();
    long answersNs = 2L * health.answeredProbes() * silence.probePeriodNs();
    return 2 * silence.failAfterNs() + 2 * settings.handshake().timeoutNs() + searchNs + answersNs;
  }

  /** Whichever is longer. */
  Bounds orLonger(Bounds other) {
    return new Bounds(Math.max(aftermathNs, other.aftermathNs), Math.max(restNs, other.restNs));
  }

  /**
   * For so long after a fault calls may end for it: until a peer is given up, and found again, once
   * by each side.
   */
  long aftermathNs() {
    return aftermathNs;
  }

  /** Without any progress for so long, with no fault any more, nothing will come. */
  long settlesNs() {
    return aftermathNs + APPLICATION_NS;
  }

  /** Within this time every node has reached every other one, once all faults have ended. */
  long reunionNs() {
    return 2 * settlesNs();
  }

  /**
   * Within this time every node has sent every other one a body of so many regions: where there is
   * one region for all it goes from one to the next, and rests each time.
   */
  long bodiesNs(int nodes, int regions) {
    return reunionNs() + (long) MOST_TAKES * nodes * regions * restNs;
  }
}
