package io.millrace.protocol.congestion;

/**
 * The windows of a {@link NewReno} controller, bytes.
 *
 * @param datagramBytes the path's datagrams at first
 * @param initialWindowBytes the window at first
 * @param slackBytes the bytes that a window in full use may leave unused: a train that did not fit
 * @param maximumWindowBytes the window never grows above this
 * @param isPaced whether to spread the window over a round trip
 */
public record NewRenoSettings(
    int datagramBytes,
    long initialWindowBytes,
    long slackBytes,
    long maximumWindowBytes,
    boolean isPaced) {
  /** Default of the largest window: 64 MiB. */
  public static final long DEFAULT_MAXIMUM_WINDOW_BYTES = 1L << 26;

  private static final int INITIAL_DATAGRAMS = 10;
  private static final int INITIAL_BYTES = 14_720;
  private static final int MINIMUM_DATAGRAMS = 2;
  private static final long WINDOW_LIMIT = 1L << 40;

  /** Checks the values. */
  public NewRenoSettings {
    if (datagramBytes < 1) {
      throw new IllegalArgumentException("datagramBytes must be positive: " + datagramBytes);
    }
    if (slackBytes < 0) {
      throw new IllegalArgumentException("slackBytes must not be negative: " + slackBytes);
    }
    long least = minimumWindowBytes(datagramBytes);
    if (maximumWindowBytes < least || maximumWindowBytes > WINDOW_LIMIT) {
      throw new IllegalArgumentException(
          "maximumWindowBytes must be in 2 datagrams..2^40: " + maximumWindowBytes);
    }
    if (initialWindowBytes < least || initialWindowBytes > maximumWindowBytes) {
      throw new IllegalArgumentException(
          "initialWindowBytes must be in 2 datagrams..maximumWindowBytes: " + initialWindowBytes);
    }
  }

  /** The window never falls below this while datagrams have this length. */
  static long minimumWindowBytes(int datagramBytes) {
    return (long) MINIMUM_DATAGRAMS * datagramBytes;
  }

  /**
   * The defaults for a path, RFC 9002 section 7.2: at first 10 datagrams, but no more than 14,720
   * bytes unless that is less than 2 datagrams; not paced.
   *
   * @param maxTrainBytes the most bytes that a system call sends to a peer
   */
  public static NewRenoSettings forPath(int datagramBytes, int maxTrainBytes) {
    final long initial =
        Math.min(
            (long) INITIAL_DATAGRAMS * datagramBytes,
            Math.max(INITIAL_BYTES, minimumWindowBytes(datagramBytes)));
    return new NewRenoSettings(
        datagramBytes,
        initial,
        maxTrainBytes,
        Math.max(DEFAULT_MAXIMUM_WINDOW_BYTES, initial),
        false);
  }

  /** The same with another window at first. */
  public NewRenoSettings withInitialWindow(long bytes) {
    return new NewRenoSettings(datagramBytes, bytes, slackBytes, maximumWindowBytes, isPaced);
  }

  /** The same windows, spread over the round trip. */
  public NewRenoSettings paced() {
    return new NewRenoSettings(
        datagramBytes, initialWindowBytes, slackBytes, maximumWindowBytes, true);
  }
}
