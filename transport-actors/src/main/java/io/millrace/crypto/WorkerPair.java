package io.millrace.crypto;

/**
 * The sending and the receiving worker.
 *
 * @param source the sealing worker, 0 to 255
 * @param destination the opening worker, 0 to 255
 */
public record WorkerPair(int source, int destination) {
  private static final int MAX_WORKER = 255;

  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException if a worker is out of range
   */
  public WorkerPair {
    if (source < 0 || source > MAX_WORKER || destination < 0 || destination > MAX_WORKER) {
      throw new IllegalArgumentException(
          "workers are 0 to 255, not " + source + " and " + destination);
    }
  }

  /** The other direction. */
  public WorkerPair reversed() {
    int from = destination;
    int to = source;
    return new WorkerPair(from, to);
  }
}
