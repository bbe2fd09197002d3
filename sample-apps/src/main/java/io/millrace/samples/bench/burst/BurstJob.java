package io.millrace.samples.bench.burst;

/**
 * What one process is to do in a burst.
 *
 * @param startNs when it begins, {@link System#nanoTime}
 * @param transfers of all peers together
 * @param peers in all
 * @param firstPeer which of them its first caller is, or calls
 * @param requestBytes of each transfer
 * @param answerBytes of each transfer
 * @param probeIntervalNs between its probes, 0 for none
 * @param inFlight transfers that are under way at once at most, 0 for all
 * @param group peers next to each other that a {@linkplain BurstLoad#transaction transaction} takes
 *     together
 */
record BurstJob(
    long startNs,
    int transfers,
    int peers,
    int firstPeer,
    int requestBytes,
    int answerBytes,
    long probeIntervalNs,
    int inFlight,
    int group) {

  /** Reads what {@link #format} wrote. */
  static BurstJob parse(String text) {
    String[] words = text.split(" ", -1);
    return new BurstJob(
        Long.parseLong(words[0]),
        Integer.parseInt(words[1]),
        Integer.parseInt(words[2]),
        Integer.parseInt(words[3]),
        Integer.parseInt(words[4]),
        Integer.parseInt(words[5]),
        Long.parseLong(words[6]),
        Integer.parseInt(words[7]),
        Integer.parseInt(words[8]));
  }

  /** The job in one line. */
  String format() {
    return "%d %d %d %d %d %d %d %d %d"
        .formatted(
            startNs,
            transfers,
            peers,
            firstPeer,
            requestBytes,
            answerBytes,
            probeIntervalNs,
            inFlight,
            group);
  }

  /** Transfers of one of its callers: equal shares, of which the first may be larger by one. */
  int share(int caller) {
    return transfers / peers + (firstPeer + caller < transfers % peers ? 1 : 0);
  }
}
