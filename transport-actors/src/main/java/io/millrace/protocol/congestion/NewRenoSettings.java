package io.millrace.protocol.congestion;

/**
 * The windows of a {@link NewReno} controller, bytes.
 *
 * @param datagramBytes the largest datagram of the path
 * @param initialWindowBytes the window at first
 * @param minimumWindowBytes the window never falls below this
 * @param maximumWindowBytes the window never grows above this
 * @param isPaced whether to spread the window over a round trip, at 5/4 of that rate
 */
public record NewRenoSettings(
    int datagramBytes,
    long initialWindowBytes,
    long minimumWindowBytes,
    long maximumWindowBytes,
    boolean isPaced) {
  /** Default of the largest window: 64 MiB. */
  public static final long DEFAULT_MAXIMUM_WINDOW_BYTES = 1L << 26;

  private static final int INITIAL_DATAGRAMS = 10;
  private static final int INITIAL_TRAINS = 2;
  private static final int MINIMUM_DATAGRAMS = 2;
  private static final long WINDOW_LIMIT = 1L << 40;

  /** Checks the values. */
  public NewRenoSettings {
    if (datagramBytes < 1) {
      throw new IllegalArgumentException("datagramBytes must be positive: " + datagramBytes);
    }
    if (minimumWindowBytes < datagramBytes) {
      throw new IllegalArgumentException(
          "minimumWindowBytes must hold a datagram: " + minimumWindowBytes);
    }
    if (maximumWindowBytes < minimumWindowBytes || maximumWindowBytes > WINDOW_LIMIT) {
      throw new IllegalArgumentException(
          "maximumWindowBytes must be in minimumWindowBytes..2^40: " + maximumWindowBytes);
    }
    if (initialWindowBytes < minimumWindowBytes || initialWindowBytes > maximumWindowBytes) {
      throw new IllegalArgumentException(
          "initialWindowBytes must be in minimumWindowBytes..maximumWindowBytes: "
              + initialWindowBytes);
    }
  }

  /**
   * The defaults for a path: at first 10 datagrams or two trains, whichever is more; at least 2
   * datagrams; not paced.
   *
   * @param maxTrainBytes the most that one system call sends to one peer
   */
  public static NewRenoSettings forPath(int datagramBytes, int maxTrainBytes) {
    final long initial =
        Math.max((long) INITIAL_DATAGRAMS * datagramBytes, (long) INITIAL_TRAINS * maxTrainBytes);
    return new NewRenoSettings(
        datagramBytes,
        initial,
        (long) MINIMUM_DATAGRAMS * datagramBytes,
        Math.max(DEFAULT_MAXIMUM_WINDOW_BYTES, initial),
        false);
  }
}
