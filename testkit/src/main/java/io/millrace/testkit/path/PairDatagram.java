package io.millrace.testkit.path;

import io.millrace.path.network.PairNetwork;
import java.time.Duration;
import java.util.Locale;

/**
 * A datagram that a side of a {@link PathPair} has sent.
 *
 * @param time of the departure, since the start of the pair
 * @param isFromLeft whether the left side is the sender
 * @param lengthBytes of the whole datagram
 * @param fate the treatment of the datagram by the network
 */
public record PairDatagram(Duration time, boolean isFromLeft, int lengthBytes, Fate fate) {
  static final String HEAD = "  time ms  direction      bytes  fate";

  private static final double MS_NS = 1e6;

  /** The treatment of a datagram by the network. */
  public enum Fate {
    /** The datagram arrives once, in its turn. */
    CARRIED,
    /** The datagram arrives once, after later datagrams. */
    LATE,
    /** The datagram arrives twice. */
    TWICE,
    /** The network drops the datagram. */
    LOST,
    /** The network drops the datagram, which is longer than the MTU. */
    TOO_LONG,
    /** The network drops the datagram, because the queue ahead of the wire is full. */
    QUEUE_FULL;

    /** Whether the network drops the datagram. */
    public boolean isDropped() {
      return compareTo(LOST) >= 0;
    }
  }

  static Fate fateOf(PairNetwork.Fate fate) {
    return switch (fate) {
      case CARRIED -> Fate.CARRIED;
      case LATE -> Fate.LATE;
      case TWICE -> Fate.TWICE;
      case LOST -> Fate.LOST;
      case TOO_LONG -> Fate.TOO_LONG;
      case QUEUE_FULL -> Fate.QUEUE_FULL;
    };
  }

  /** The datagram as a line of {@link PathPair#table}. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%9.3f  %s  %5d  %s",
        time.toNanos() / MS_NS,
        isFromLeft ? "left -> right" : "left <- right",
        lengthBytes,
        fate.name().toLowerCase(Locale.ROOT).replace('_', ' '));
  }
}
