package io.millrace.testkit.sim;

/**
 * How a simulated fabric behaves.
 *
 * @param retry what is lost, and what finds no room
 * @param overtakePpm of a million messages and pieces of writes, how many are overtaken
 * @param overtakeMaxNs how late those come, at most, ns
 * @param receiveBuffers messages that an endpoint holds until it is polled
 * @param writeDepth writes of an endpoint that may be under way; more are refused
 * @param pieceBytes writes travel in pieces of so many bytes, each by itself
 * @param isVirtual peers name memory by address; otherwise from 0 on
 */
public record FabricSettings(
    RetrySettings retry,
    int overtakePpm,
    long overtakeMaxNs,
    int receiveBuffers,
    int writeDepth,
    int pieceBytes,
    boolean isVirtual) {
  private static final int PPM = 1_000_000;

  /**
   * One in five is overtaken, by up to 50 us; 1,024 receive buffers; 64 writes in pieces of 16 KiB.
   */
  public static final FabricSettings DEFAULT =
      new FabricSettings(RetrySettings.DEFAULT, 200_000, 50_000, 1_024, 64, 16 << 10, true);

  /** Checks the ranges. */
  public FabricSettings {
    if (overtakePpm < 0 || overtakePpm > PPM || overtakeMaxNs < 0) {
      throw new IllegalArgumentException(overtakePpm + " ppm are overtaken by " + overtakeMaxNs);
    }
    if (receiveBuffers < 1 || writeDepth < 1 || pieceBytes < 1) {
      throw new IllegalArgumentException(
          receiveBuffers + " buffers, " + writeDepth + " writes, pieces of " + pieceBytes);
    }
  }

  /** The same with other retries. */
  public FabricSettings withRetry(RetrySettings other) {
    return new FabricSettings(
        other, overtakePpm, overtakeMaxNs, receiveBuffers, writeDepth, pieceBytes, isVirtual);
  }

  /** The same with other chances of being overtaken. */
  public FabricSettings withOvertaking(int ppm, long maxNs) {
    return new FabricSettings(retry, ppm, maxNs, receiveBuffers, writeDepth, pieceBytes, isVirtual);
  }

  /** The same with other queues. */
  public FabricSettings withQueues(int buffers, int writes) {
    return new FabricSettings(
        retry, overtakePpm, overtakeMaxNs, buffers, writes, pieceBytes, isVirtual);
  }

  /** The same with pieces of another size. */
  public FabricSettings withPieces(int bytes) {
    return new FabricSettings(
        retry, overtakePpm, overtakeMaxNs, receiveBuffers, writeDepth, bytes, isVirtual);
  }

  /** The same with the other way to name memory. */
  public FabricSettings withVirtualAddresses(boolean virtual) {
    return new FabricSettings(
        retry, overtakePpm, overtakeMaxNs, receiveBuffers, writeDepth, pieceBytes, virtual);
  }
}
