package io.millrace.testkit.sim;

/**
 * The behaviour of a simulated fabric.
 *
 * @param retry retransmission of lost messages and of messages without a receive buffer
 * @param overtakePpm messages and pieces of writes of a million that later messages overtake
 * @param overtakeMaxNs most extra delay of an overtaken message or piece, ns
 * @param receiveBuffers messages that an endpoint holds until the next poll
 * @param writeDepth writes of an endpoint that may be under way; the endpoint refuses more
 * @param pieceBytes bytes of a piece of a write; each piece travels by itself
 * @param isVirtual whether peers name memory by address; otherwise by offsets from 0 on
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
   * One message in five is overtaken, by up to 50 us; 1,024 receive buffers; 64 writes in pieces of
   * 16 KiB.
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

  /** These settings with other retries. */
  public FabricSettings withRetry(RetrySettings other) {
    return new FabricSettings(
        other, overtakePpm, overtakeMaxNs, receiveBuffers, writeDepth, pieceBytes, isVirtual);
  }

  /** These settings with other chances of overtaking. */
  public FabricSettings withOvertaking(int ppm, long maxNs) {
    return new FabricSettings(retry, ppm, maxNs, receiveBuffers, writeDepth, pieceBytes, isVirtual);
  }

  /** These settings with other queues. */
  public FabricSettings withQueues(int buffers, int writes) {
    return new FabricSettings(
        retry, overtakePpm, overtakeMaxNs, buffers, writes, pieceBytes, isVirtual);
  }

  /** These settings with pieces of another size. */
  public FabricSettings withPieces(int bytes) {
    return new FabricSettings(
        retry, overtakePpm, overtakeMaxNs, receiveBuffers, writeDepth, bytes, isVirtual);
  }

  /** These settings with the given way to name memory. */
  public FabricSettings withVirtualAddresses(boolean virtual) {
    return new FabricSettings(
        retry, overtakePpm, overtakeMaxNs, receiveBuffers, writeDepth, pieceBytes, virtual);
  }
}
