package io.millrace.samples.bench.burst;

/**
 * The work of a process in a burst.
 *
 * @param startNs the start of the burst, {@link System#nanoTime}
 * @param transfers the number of transfers of all peers together
 * @param peers the number of all peers
 * @param firstPeer the index of the peer that the first caller is, or calls
 * @param requestBytes bytes of each request
 * @param answerBytes bytes of each answer
 * @param probeIntervalNs ns between the probes of this process, 0 for none
 * @param inFlight the largest number of parallel transfers, 0 for all
 * @param group the number of adjacent peers that a {@linkplain BurstLoad#transaction transaction}
 *     takes together
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

  /** Reads a line of {@link #format}. */
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

  /** Formats the job as one line. */
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

  /**
   * The number of transfers of a caller: equal shares, of which the first shares may be larger by
   * one.
   */
  int share(int caller) {
    return transfers / peers + (firstPeer + caller < transfers % peers ? 1 : 0);
  }
}
