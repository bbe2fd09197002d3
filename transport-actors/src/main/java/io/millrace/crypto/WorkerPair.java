package io.millrace.crypto;

/**
 * Which worker sends to which.
 *
 * @param source the worker that seals, 0 to 255
 * @param destination the worker that opens, 0 to 255
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
