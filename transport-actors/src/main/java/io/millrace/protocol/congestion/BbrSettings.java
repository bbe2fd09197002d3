package io.millrace.protocol.congestion;

/**
 * The settings of a {@link Bbr} controller for its path.
 *
 * @param datagramBytes the path's datagrams at first
 * @param initialWindowBytes the window at first
 * @param maximumWindowBytes the window never grows above this
 * @param trainBytes the most bytes that a system call sends
 * @param initialRttNs the round trip until the first measurement, ns
 * @param ackPackets packets after which the peer acknowledges at once
 * @param ackDelayNs the longest time that the peer holds an acknowledgement back, ns
 * @param seed seed of the times between probes, so that paths do not probe at the same moment
 */
public record BbrSettings(
    int datagramBytes,
    long initialWindowBytes,
    long maximumWindowBytes,
    int trainBytes,
    long initialRttNs,
    int ackPackets,
    long ackDelayNs,
    long seed) {
  private static final int INITIAL_DATAGRAMS = 10;
  private static final int LEAST_DATAGRAMS = 4;

  /** Checks the values. */
  public BbrSettings {
    if (datagramBytes < 1 || trainBytes < 1 || ackPackets < 1) {
      throw new IllegalArgumentException(
          "datagramBytes, trainBytes and ackPackets must be positive: "
              + datagramBytes
              + ", "
              + trainBytes
              + ", "
              + ackPackets);
    }
    if (initialRttNs < 1 || ackDelayNs < 0) {
      throw new IllegalArgumentException(
          "initialRttNs must be positive, ackDelayNs not negative: "
              + initialRttNs
              + ", "
              + ackDelayNs);
    }
    if (initialWindowBytes < (long) LEAST_DATAGRAMS * datagramBytes
        || initialWindowBytes > maximumWindowBytes) {
      throw new IllegalArgumentException(
          "initialWindowBytes must be in 4 datagrams..maximumWindowBytes: " + initialWindowBytes);
    }
  }

  /** The defaults for a path: 10 datagrams at first, and no larger a window than NewReno's. */
  public static BbrSettings forPath(
      int datagramBytes,
      int trainBytes,
      long initialRttNs,
      int ackPackets,
      long ackDelayNs,
      long seed) {
    final long initial = (long) INITIAL_DATAGRAMS * datagramBytes;
    return new BbrSettings(
        datagramBytes,
        initial,
        Math.max(NewRenoSettings.DEFAULT_MAXIMUM_WINDOW_BYTES, initial),
        trainBytes,
        initialRttNs,
        ackPackets,
        ackDelayNs,
        seed);
  }

  /** The window never falls below this while datagrams have this length, but for a moment. */
  static long minimumWindowBytes(int datagramBytes) {
    return (long) LEAST_DATAGRAMS * datagramBytes;
  }
}
